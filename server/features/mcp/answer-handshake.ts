import type { IncomingHttpHeaders } from 'node:http'
import { describeServer } from './describe-server.ts'
import type { Caller, Toolbox } from './toolbox.ts'

/** Loaded with the first request: it takes a quarter of a second, which should not delay the start. */
const loadProtocol = () =>
  Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ])

/**
 * Answers the revisions up to 2025-11-25, which begin with `initialize`. No session is kept: every request carries all
 * that is needed, so any node can answer it.
 */
export async function answerHandshake(
  toolbox: Toolbox,
  caller: Caller,
  { body, headers, version }: { body: unknown; headers: IncomingHttpHeaders; version: string },
): Promise<Response> {
  const [{ Server }, { WebStandardStreamableHTTPServerTransport }, { ErrorCode, McpError }] = await loadProtocol()
  const { serverInfo, ...about } = describeServer(version, caller.principal)
  const server = new Server(serverInfo, about)
  // Not by the library's own schemas: it reports a mismatch as an internal error.
  server.fallbackRequestHandler = async ({ method, params = {} }) => {
    if (method === 'tools/list') return { tools: toolbox.describe(caller.principal) }
    if (method !== 'tools/call') throw new McpError(ErrorCode.MethodNotFound, 'Method not found')
    const { name, arguments: input } = params
    if (typeof name !== 'string') throw new McpError(ErrorCode.InvalidParams, 'name must say which tool')
    const result = await toolbox.call(caller, name, input)
    if (!result) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
    return result
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport as never)
  try {
    const request = new Request('http://frontdesk/mcp', { method: 'POST', headers: plainHeaders(headers) })
    return await transport.handleRequest(request, { parsedBody: body })
  } finally {
    await server.close()
  }
}

/** The part of the request that the protocol needs, without the credential. */
function plainHeaders(headers: IncomingHttpHeaders): Headers {
  const plain = new Headers()
  for (const name of ['accept', 'content-type', 'mcp-protocol-version']) {
    const value = headers[name]
    if (typeof value === 'string') plain.set(name, value)
  }
  return plain
}
