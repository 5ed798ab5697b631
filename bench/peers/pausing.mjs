// A user who looks at a page for a second.

export default async function reader ({ http, pause }) {
  await http.get('/')
  await pause('1s')
}
