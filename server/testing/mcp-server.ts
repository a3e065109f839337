import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { listenLocally } from './listen-locally.ts'

export type McpGeneration = 'sse-2024' | 'streamable-2025' | 'stateless-2026'

const inputSchema = { type: 'object' as const, properties: { day: { type: 'string' } }, required: ['day'] }
const tools = [
  { name: 'find_slot', description: 'Finds a free slot', inputSchema },
  { name: 'drop.everything', description: 'Dangerous', inputSchema: { type: 'object' as const, properties: {} } },
]

interface ToolCall {
  name: string
  arguments: Record<string, unknown>
}

/** An MCP server of each protocol generation, by the official library; the newest is written out below. */
export async function startMcpServer(generation: McpGeneration) {
  const calls: ToolCall[] = []
  const requests: { method: string; headers: IncomingMessage['headers'] }[] = []
  const sessions = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>()

  const call = (
    { name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
    secret = '',
  ) => {
    calls.push({ name, arguments: given })
    if (given.day === 'never') return { content: [{ type: 'text' as const, text: 'No such day' }], isError: true }
    return { content: [{ type: 'text' as const, text: `${given.day} at ten, says ${secret}` }] }
  }
  const protocolServer = (secret: string) => {
    const server = new Server({ name: 'calendar', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, (request) =>
      request.params?.cursor === 'more' ? { tools: tools.slice(1) } : { tools: tools.slice(0, 1), nextCursor: 'more' },
    )
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => call(params, secret))
    return server
  }

  async function streamable(request: IncomingMessage, response: ServerResponse, secret: string) {
    const id = request.headers['mcp-session-id'] as string | undefined
    let transport = id === undefined ? undefined : (sessions.get(id) as StreamableHTTPServerTransport)
    if (id !== undefined && !transport) return void response.writeHead(404).end()
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (made) => void sessions.set(made, transport as StreamableHTTPServerTransport),
      })
      await protocolServer(secret).connect(transport as never)
    }
    await transport.handleRequest(request, response)
  }

  async function sse(request: IncomingMessage, response: ServerResponse, secret: string) {
    const url = new URL(request.url ?? '', 'http://x')
    if (request.method === 'POST' && url.pathname === '/messages') {
      const transport = sessions.get(url.searchParams.get('sessionId') ?? '') as SSEServerTransport | undefined
      return transport ? transport.handlePostMessage(request, response) : void response.writeHead(404).end()
    }
    if (request.method !== 'GET') return void response.writeHead(405).end()
    const transport = new SSEServerTransport('/messages', response)
    sessions.set(transport.sessionId, transport)
    await protocolServer(secret).connect(transport)
  }

  async function stateless(request: IncomingMessage, response: ServerResponse, secret: string) {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method, params } = JSON.parse(await readText(request))
    const answer = (body: object, status = 200) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
    if (request.headers['mcp-method'] !== method || request.headers['mcp-protocol-version'] !== '2026-07-28')
      return answer({ error: { code: -32020, message: 'header mismatch' } }, 400)
    if (method === 'server/discover')
      return answer({
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        },
      })
    if (method === 'tools/list')
      return answer({ result: { resultType: 'complete', tools, ttlMs: 0, cacheScope: 'private' } })
    if (method === 'tools/call') return answer({ result: { resultType: 'complete', ...call(params, secret) } })
    return answer({ error: { code: -32601, message: 'unknown method' } }, 404)
  }

  const speak = { 'sse-2024': sse, 'streamable-2025': streamable, 'stateless-2026': stateless }[generation]
  const server = createServer((request, response) => {
    requests.push({ method: request.method ?? '', headers: request.headers })
    speak(request, response, String(request.headers['x-secret'] ?? '')).catch(() => response.destroy())
  })
  const { url } = await listenLocally(server)
  /** Drops all sessions, as after a restart. */
  const forget = () => sessions.clear()
  const hangUp = () => server.closeAllConnections()
  return { hangUp, url: `${url}/mcp`, calls, requests, forget }
}
