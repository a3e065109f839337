/**
 * An `import` of `node:http` reads all of its exports. Some load Node's own copy of undici when they are read, which
 * nothing here uses: 55 ms of CPU time at every start. Types are not read: import those from `node:http`.
 */
export const { createServer, IncomingMessage } = process.getBuiltinModule('node:http')
