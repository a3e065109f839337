import { createHash } from 'node:crypto'
import type { MCPClient } from '@ai-sdk/mcp'
import type { Log } from '../../../platform/log.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { McpServer } from '../config/tool-settings.ts'
import { failed, presentable, type RunnableTool, type ToolOutcome } from './contract.ts'
import { connectMcp } from './mcp-connection.ts'

/** Tools of MCP servers. Each version of an agent connects once to a server, and disconnects when idle. */
export interface McpTools {
  /**
   * Tools of the servers that answer in time: a slow one is left out and may be ready next time, a failing one is
   * skipped for a while.
   */
  of(owner: string, servers: McpServer[], options: { waitMs: number; signal: AbortSignal }): Promise<RunnableTool[]>
  close(): Promise<void>
}

const timeouts = { connectMs: 6_000, callMs: 30_000 }
const idleMs = 5 * 60_000
const forgetFailureMs = 30_000
/** More would overload the model, and providers refuse more than 128. */
const mostToolsPerServer = 64
const mostPages = 20

interface Session {
  client: MCPClient
  tools: RunnableTool[]
}

interface Entry {
  opening: Promise<Session | undefined>
  forget: NodeJS.Timeout
}

export function createMcpTools({ http, log }: { http: OutboundHttp; log: Log }): McpTools {
  const entries = new Map<string, Entry>()

  const drop = (key: string) => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    clearTimeout(entry.forget)
    void entry.opening.then((session) => session?.client.close()).catch(() => {})
  }
  const keep = (key: string, opening: Entry['opening'], forMs: number) => {
    clearTimeout(entries.get(key)?.forget)
    entries.set(key, { opening, forget: setTimeout(() => drop(key), forMs).unref() })
  }

  function sessionOf(key: string, server: McpServer): Promise<Session | undefined> {
    const opening = entries.get(key)?.opening ?? openSession(key, server)
    keep(key, opening, idleMs)
    return opening
  }

  async function openSession(key: string, server: McpServer): Promise<Session | undefined> {
    try {
      const client = await connectMcp(http, server, timeouts.connectMs, (error) =>
        log.debug({ mcp_server: server.name, reason: reasonOf(error, server) }, 'mcp tools: server error'),
      )
      const definitions = await listTools(client)
      const allowed = definitions.filter(({ name }) => server.allowed_tools?.includes(name) ?? true)
      const tools = allowed.slice(0, mostToolsPerServer).map(
        ({ name, description, inputSchema }): RunnableTool => ({
          name: modelName(server.name, name),
          description: description ?? '',
          parameters: inputSchema as Record<string, unknown>,
          sayWhileRunning: null,
          run: (given, signal) => call(key, server, name, given, signal),
        }),
      )
      return { client, tools }
    } catch (error) {
      log.warn(
        { mcp_server: server.name, reason: reasonOf(error, server) },
        'mcp tools: server unavailable, skipped for a while',
      )
      queueMicrotask(() => {
        const entry = entries.get(key)
        if (entry) keep(key, entry.opening, forgetFailureMs)
      })
      return undefined
    }
  }

  async function call(
    key: string,
    server: McpServer,
    name: string,
    given: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ToolOutcome> {
    for (let attempt = 1; ; attempt++) {
      const session = await sessionOf(key, server)
      if (!session) return failed('The tool’s server cannot be reached')
      try {
        const options = { signal, timeout: timeouts.callMs }
        const answer = await session.client.callTool({ name, arguments: given, options })
        return presentable(outcomeOf(answer), server.headers)
      } catch (error) {
        signal.throwIfAborted()
        drop(key)
        if (attempt === 1 && surelyNotDone(error)) continue
        return presentable(failed(`The tool failed: ${(error as Error).message}`), server.headers)
      }
    }
  }

  return {
    async of(owner, servers, { waitMs, signal }) {
      signal.throwIfAborted()
      if (servers.length === 0) return []
      const timeout = AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
      const sessions = await Promise.all(
        servers.map((server) => unlessAborted(sessionOf(`${owner} ${server.name}`, server), timeout)),
      )
      signal.throwIfAborted()
      return sessions.flatMap((session) => session?.tools ?? [])
    },
    async close() {
      const open = [...entries.values()].map(({ opening }) => opening)
      for (const key of [...entries.keys()]) drop(key)
      await Promise.allSettled(open)
    },
  }
}

/** The server has dropped the session, or the connection had ended: a new one may work. */
const surelyNotDone = (error: unknown): boolean =>
  (error as { statusCode?: number }).statusCode === 404 ||
  /Not connected|from a closed client/.test((error as Error).message)

/** For the log: the server's message may quote what it was sent. */
const reasonOf = (error: unknown, { headers }: McpServer): string =>
  presentable(failed(error instanceof Error ? error.message : String(error)), headers).result.slice(0, 300)

async function listTools(client: MCPClient) {
  const found = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const options = { timeout: timeouts.connectMs }
    const { tools, nextCursor } = await client.listTools({ ...(cursor && { params: { cursor } }), options })
    found.push(...tools)
    if (!nextCursor) break
    cursor = nextCursor
  }
  return found
}

/** Server and tool name in characters that every model accepts; truncated names get a hash. */
export function modelName(server: string, tool: string): string {
  const name = `${server}_${tool}`.replace(/[^a-zA-Z0-9_-]/g, '_')
  if (name.length <= 64 && `${server}_${tool}` === name) return name
  return `${name.slice(0, 55)}_${createHash('sha256').update(`${server} ${tool}`).digest('hex').slice(0, 8)}`
}

interface CallAnswer {
  content?: unknown
  structuredContent?: unknown
  isError?: boolean
  toolResult?: unknown
}

/** Texts as they are; content that a model cannot read is named. */
function outcomeOf(answer: unknown): ToolOutcome {
  const { content, structuredContent, isError = false, toolResult } = answer as CallAnswer
  const parts = Array.isArray(content) ? content.map(textOf) : []
  const text = parts.filter(Boolean).join('\n')
  const rest = structuredContent ?? toolResult
  return { result: text || (rest === undefined ? 'Done.' : JSON.stringify(rest)), isError }
}

function textOf(part: {
  type?: string
  text?: string
  mimeType?: string
  uri?: string
  resource?: { text?: string; uri?: string }
}) {
  if (part.type === 'text') return part.text ?? ''
  if (part.type === 'resource') return part.resource?.text ?? `[${part.resource?.uri}]`
  return `[${part.type ?? 'something'}${part.mimeType ? ` ${part.mimeType}` : ''}${part.uri ? ` ${part.uri}` : ''}]`
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const aborted = Promise.withResolvers<undefined>()
  const onAbort = () => aborted.resolve(undefined)
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}
