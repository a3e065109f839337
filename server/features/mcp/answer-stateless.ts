import type { IncomingHttpHeaders } from 'node:http'
import { describeServer } from './describe-server.ts'
import type { Caller, Toolbox } from './toolbox.ts'

/** The revision without a handshake, which our library does not speak yet. */
const statelessVersion = '2026-07-28'

const metaName = (name: string) => `io.modelcontextprotocol/${name}`

interface RpcAnswer {
  status: number
  body?: object
}

type Id = string | number | null
type Message = { jsonrpc: '2.0'; id?: Id; method: string; params?: Record<string, unknown> }

/** Whether a request is of that revision: it says so in its body, and again in a header. */
export function isStateless(body: unknown, headers: IncomingHttpHeaders): boolean {
  return headers['mcp-protocol-version'] === statelessVersion || versionOf(body) !== undefined
}

export async function answerStateless(
  toolbox: Toolbox,
  caller: Caller,
  { body, headers, version }: { body: unknown; headers: IncomingHttpHeaders; version: string },
): Promise<RpcAnswer> {
  if (!isMessage(body)) return refusal(400, null, -32600, 'Invalid Request: one JSON-RPC 2.0 message is expected')
  const { id, method, params = {} } = body
  if (id === undefined) return { status: 202 }
  const asked = versionOf(body)
  if (asked !== undefined && asked !== statelessVersion)
    return refusal(400, id, -32022, 'Unsupported protocol version', { supported: [statelessVersion], requested: asked })
  const mismatch = mismatchOf(body, headers)
  if (mismatch) return refusal(400, id, -32020, `Header mismatch: ${mismatch}`)
  const { serverInfo, ...about } = describeServer(version, caller.principal)
  const complete = (result: object): RpcAnswer => ({
    status: 200,
    body: {
      jsonrpc: '2.0',
      id,
      result: { ...result, resultType: 'complete', _meta: { [metaName('serverInfo')]: serverInfo } },
    },
  })
  // Tools depend on the credential's scopes, which may change: answers must not be cached for long.
  const cached = { ttlMs: 60_000, cacheScope: 'private' }
  switch (method) {
    case 'server/discover':
      return complete({ supportedVersions: [statelessVersion], ...about, ...cached })
    case 'tools/list':
      return complete({ tools: toolbox.describe(caller.principal), ...cached })
    case 'tools/call': {
      const { name, arguments: input } = params
      if (typeof name !== 'string') return refusal(400, id, -32602, 'Invalid params: name must say which tool')
      const result = await toolbox.call(caller, name, input)
      return result ? complete(result) : refusal(400, id, -32602, `Unknown tool: ${name}`)
    }
    default:
      return refusal(404, id, -32601, `Method not found: ${method}`)
  }
}

function versionOf(body: unknown): unknown {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> } }
  return params?._meta?.[metaName('protocolVersion')]
}

function isMessage(body: unknown): body is Message {
  const { jsonrpc, id, method, params = {} } = (body ?? {}) as Record<string, unknown>
  const isId = id === undefined || typeof id === 'string' || Number.isInteger(id)
  const isObject = params !== null && typeof params === 'object' && !Array.isArray(params)
  return jsonrpc === '2.0' && isId && typeof method === 'string' && isObject
}

/** Proxies go by the headers, we by the body: they must agree. */
function mismatchOf({ method, params }: Message, headers: IncomingHttpHeaders): string | undefined {
  const pairs: [header: string, inBody: unknown][] = [
    ['mcp-protocol-version', statelessVersion],
    ['mcp-method', method],
    ...(method === 'tools/call' ? [['mcp-name', params?.name] as [string, unknown]] : []),
  ]
  const [wrong] = pairs.filter(([header, inBody]) => decoded(headers[header]) !== inBody)
  return wrong && `${wrong[0]} must be ${JSON.stringify(wrong[1])}, as in the body`
}

/** Values that no header can carry come in base64, marked as such. */
function decoded(value: string | string[] | undefined): string | string[] | undefined {
  const [, encoded] = (typeof value === 'string' && /^=\?base64\?(.*)\?=$/.exec(value)) || []
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString()
}

const refusal = (status: number, id: Id, code: number, message: string, data?: object): RpcAnswer => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } },
})
