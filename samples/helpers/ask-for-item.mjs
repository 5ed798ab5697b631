// setupRequest, as an ES module: asks for the item of this iteration.

export default (request, context) => ({ ...request, path: `/items/${context.id}` })
