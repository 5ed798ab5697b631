'use strict'

const t = require('tap')
const { hasSecretTemplate, isSecretName, pathWithoutUserinfo, redacted, redactedText, redactedUrl, withoutUserinfo } = require('../../lib/core/secrets')

/** Each row is what is given, then what comes of it. */
const tables = {
  withoutUserinfo: [withoutUserinfo, [
    ['http://a/b?c=d#e', 'http://a/b?c=d#e'],
    ['http://user@a/', 'http://***@a/'],
    ['http://user:secret@a:80/@b?c=d@e', 'http://***@a:80/@b?c=d@e'],
    ['http://user:sec@ret@a/', 'http://***@a/'],
    ['user:secret@a', '***@a'],
    ['a/@b', 'a/@b'],
    ['localhost:3000/@b', 'localhost:3000/@b'],
    ['ftp://user:secret@a/', 'ftp://***@a/'],
    ['http://user:secret@a:99999/', 'http://***@a:99999/'],
    ['http://user:sec/ret@a/', 'http://***@a/'],
    ['http:/user:secret@a', '***@a'],
    [' http://user:secret@a', '***@a'],
    ['//user:secret@a', '***@a'],
    ['', '']
  ]],
  pathWithoutUserinfo: [pathWithoutUserinfo, [
    ['/@b', '/@b'],
    ['/a?to=http://user:secret@h', '/a?to=http://user:secret@h'],
    ['http://user:s3cret@h/x', 'http://***@h/x']
  ]],
  redactedUrl: [redactedUrl, [
    ['session:3000', 'session:3000'],
    ['http://user:s3cret@h/?a=1&api_key=s3cret&b=2', 'http://***@h/?a=1&api_key=***&b=2']
  ]],
  isSecretName: [isSecretName, [
    ...['authorization', 'Proxy-Authorization', 'cookie', 'set-cookie', 'password', 'passwd', 'pwd', 'X-Api-Key', 'accessToken', 'client_secret', 'x-auth', 'auth', 'user.token',
      'jwt', 'sid', 'key', 'pfx', 'private_key', 'sessionId', 'credentials'].map(name => [name, true]),
    ...['accept', 'content-type', 'author', 'x-authored-by', 'keys', 'keyboard', 'id', 'user', 'inside', 'name', ''].map(name => [name, false])
  ]],
  redactedText: [redactedText, [
    ['{"id": 9007199254740993, "price": 1.10, "token": "a"}', '{"id":9007199254740993,"price":1.10,"token":"***"}'],
    ['{"ids":[-9007199254740993,1e400],"text":"9007199254740993 \\" 1.10","token":9007199254740993}', '{"ids":[-9007199254740993,1e400],"text":"9007199254740993 \\" 1.10","token":"***"}'],
    ['{"id":9007199254740993}\n{"id":9007199254740993,"token":1}', '{"id":9007199254740993}\n{"id":9007199254740993,"token":"***"}'],
    ['nothing to hide: 1', 'nothing to hide: 1'],
    ['{"a": 1.0, "b": 12345678901234567890}', '{"a": 1.0, "b": 12345678901234567890}'],
    ['{"user":"ann","password":"s3cret"}', '{"user":"ann","password":"***"}'],
    // A template is no JSON.
    ['{"id":[<id>],"password":"s3cret"}', '{"id":[<id>],"password":"***"}'],
    ['{"id":[<id>],"deep":{"token":{"a":["s3cret"],"b":"}"}},"c":1}', '{"id":[<id>],"deep":{"token":"***"},"c":1}'],
    ['{"id":[<id>],"pin\\"password":"s3\\"cret","b":1}', '{"id":[<id>],"pin\\"password":"***","b":1}'],
    ['{"id":[<id>],"password":"s3cret', '{"id":[<id>],"password":"***"'],
    ['{"id":[<id>],"passwords":["s3cret"', '{"id":[<id>],"passwords":"***"'],
    ["{'id':[<id>],'token':'s3cret'}", "{'id':[<id>],'token':'***'}"],
    ['{"token":s3cret}', '{"token":"***"}'],
    ['{"inner":"{\\"token\\":\\"s3cret\\"}"}', '{"inner":"{\\"token\\":\\"***\\"}"}'],
    ['{"id":[<id>],"inner":"{\\"token\\":\\"s3cret\\"}"}', '{"id":[<id>],"inner":"{\\"token\\":\\"***\\"}"}'],
    ['{"query":"mutation { login(password: \\"s3cret\\") }"}', '{"query":"mutation { login(password: \\"***\\") }"}'],
    ['{"a":1}\n{"password":"s3cret"}\n', '{"a":1}\n{"password":"***"}\n'],
    ['{"a":1}\n{"id":[<id>],"password":"s3cret"}', '{"a":1}\n{"id":[<id>],"password":"***"}'],
    ['user=ann&password=s3cret&next=1', 'user=ann&password=***&next=1'],
    ['user%5Bpassword%5D=s3cret+x&user[token]=s3cret', 'user%5Bpassword%5D=***&user[token]=***'],
    ['--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nshown\r\n--x\r\nContent-Disposition: form-data; name="password"\r\nContent-Type: text/plain\r\n\r\ns3cret\r\ns3cret\r\n--x--',
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nshown\r\n--x\r\nContent-Disposition: form-data; name="password"\r\nContent-Type: text/plain\r\n\r\n***\r\n--x--'],
    ['<a><wsse:Password Type="x">s3cret</wsse:Password></a>', '<a><wsse:Password Type="x">***</wsse:Password></a>'],
    ['Authorization: Bearer s3cret', 'Authorization: ***'],
    ['x-api-key=s3cret', 'x-api-key=***'],
    ['user.token=s3cret', 'user.token=***'],
    ['{"user":"a","pass":"s3cret","id":[<id>]}', '{"user":"a","pass":"***","id":[<id>]}'],
    ['user=a&pass=s3cret&bypass=1', 'user=a&pass=***&bypass=1'],
    ['<login password="s3cret" user="a"/>', '<login password="***" user="a"/>'],
    ["<login pass='s3cret'/>", "<login pass='***'/>"],
    ['{user: a, pass: s3cret, id: 1}', '{user: a, pass: "***", id: 1}'],
    ['id=1&client_assertion=s3cret', 'id=1&client_assertion=***'],
    ['items[0].secret=s3cret', 'items[0].secret=***'],
    ['x: Bearer s3cret', 'x: Bearer ***'],
    ['Basic dXNlcjpwYXNzd29yZA==', 'Basic ***'],
    ['Basic authentication', 'Basic authentication'],
    ['http://user:s3cret@h/x', 'http://***@h/x'],
    ['http://user:s3/cret@h/x', 'http://***@h/x'],
    ['GET http://user:s3cret@h/x', 'GET http://***@h/x'],
    ['/a?access_token=s3cret#f', '/a?access_token=***#f']
  ]],
  redacted: [redacted, [
    [{ headers: [['authorization', 's3cret'], ['a', 'b']] }, { headers: [['authorization', '***'], ['a', 'b']] }],
    [{ postData: { params: [{ name: 'password', value: 's3cret' }, { name: 'a', value: 'b' }] } }, { postData: { params: [{ name: 'password', value: '***' }, { name: 'a', value: 'b' }] } }],
    [new Map([['x-auth-token', 's3cret']]), { 'x-auth-token': '***' }],
    [['TOKEN=s3cret', 'DB=pg://u:s3cret@h/d', 'node', 'session.js', '--password', 's3cret', '--token=s3cret', '-v'], ['TOKEN=***', 'DB=pg://***@h/d', 'node', 'session.js', '--password', '***', '--token=***', '-v']],
    [Buffer.from('s3cret'), '[6 bytes]'],
    [[/a/, 1n, null, undefined, true], ['/a/', 1n, null, undefined, true]]
  ]]
}

for (const [name, [hide, rows]] of Object.entries(tables)) {
  t.test(name, async t => {
    rows.forEach(([given, expected], i) => t.strictSame(hide(given), expected, `row ${i}`))
  })
}

t.test('a template that names values is no secret, and what stands beside one is', async t => {
  for (const value of ['{{token}}', 'Bearer {{token}}', 'bearer {{{ users[0].token }}}', 'Basic {{u.name}}:{{u.password}}', '{{env.API_TOKEN}}', '{{a}}-{{b}}']) {
    t.strictSame(redacted({ authorization: value, headers: [['x-api-key', value]], list: [{ name: 'token', value }], body: { password: value } }), { authorization: value, headers: [['x-api-key', value]], list: [{ name: 'token', value }], body: { password: value } }, value)
    for (const text of [`Authorization: ${value}`, `/a?token=${value}&b=1`, `{"password":"${value}","id":{{id}}}`, `<p:Password>${value}</p:Password>`, `<a password="${value}"/>`]) t.equal(redactedText(text), text)
  }
  t.equal(redactedText('{"password":{{u.password}},"id":{{id}}}'), '{"password":{{u.password}},"id":{{id}}}')
  for (const value of ['Bearer abc{{x}}', '{{x}}abc', 's3cret {{x}}', "{{pick 's3cret' 'other'}}", '{{pick s3cret other}}', '{{x}', '{{s3 cret}}', 'Bearer {{x}} s3cret', 'sid={{x}}']) {
    t.strictSame(redacted({ authorization: value, list: ['authorization', value] }), { authorization: '***', list: ['authorization', '***'] }, value)
    t.equal(redactedText(`Authorization: ${value}`), 'Authorization: ***')
  }
  for (const value of ['sid={{sid}}', 'sid={{sid}}; theme={{users.theme}}']) t.strictSame([redacted({ cookie: value }), redactedText(`Cookie: ${value}`)], [{ cookie: value }, `Cookie: ${value}`])
  t.strictSame(redacted({ cookie: 'sid={{sid}}; theme=s3cret' }), { cookie: '***' })
})

t.test('a long text takes no long time', async t => {
  for (const part of ['a', '"a', '{', '://', 'token', '"token', 'name="token\n', '<token ', 'a=', '&', 'Basic ', '\\', '{{a}}', 'token={{a}}']) {
    const start = performance.now()
    redactedText(part.repeat(Math.ceil(200_000 / part.length)))
    t.ok(performance.now() - start < 5000, part)
  }
})

t.test('a template that puts in a part of a secret, or one of a list of secrets, is secret', async t => {
  for (const text of ['/{{jwt}}', '/{{jwt[0]}}', '/{{pick jwt}}', '/{{o.key[0]}}', '/x?q={{{ users[1].password }}}']) t.equal(hasSecretTemplate(text), true, text)
  for (const text of ['/jwt', '/{{id}}', '/{{items[0].id}}', '/{{pick tea coffee}}', '/{{random 1 100}}']) t.equal(hasSecretTemplate(text), false, text)
})
