import type { api as types } from '@frontdesk/sdk'
import { newKey } from './row-keys.ts'

/** The tools of an agent and its MCP servers in its form. */

export interface HeaderRow {
  key: string
  name: string
  value: string
}
export interface ToolRow {
  key: string
  name: string
  description: string
  method: types.AgentTool['method']
  url: string
  headers: HeaderRow[]
  /** The JSON Schema as text, which may be invalid while it is typed. */
  parameters: string
  timeout_ms: number
  say_while_running: string
}
export interface McpRow {
  key: string
  name: string
  url: string
  headers: HeaderRow[]
  allowed_tools: string[]
}
export interface ToolValues {
  tools: ToolRow[]
  mcp_servers: McpRow[]
}

export const newTool = (): ToolRow => ({
  key: newKey(),
  name: '',
  description: '',
  method: 'GET',
  url: '',
  headers: [],
  parameters: JSON.stringify({ type: 'object', properties: {} }, null, 2),
  timeout_ms: 20_000,
  say_while_running: '',
})
export const newMcpServer = (): McpRow => ({ key: newKey(), name: '', url: '', headers: [], allowed_tools: [] })

export const newToolValues = (): ToolValues => ({ tools: [], mcp_servers: [] })

const headerRows = (headers: Record<string, unknown>): HeaderRow[] =>
  Object.entries(headers).map(([name, value]) => ({ key: newKey(), name, value: String(value) }))
const headersOf = (rows: HeaderRow[]) =>
  Object.fromEntries(rows.filter(({ name }) => name.trim() !== '').map(({ name, value }) => [name.trim(), value]))

export const toolValuesOf = ({ tools, mcp_servers }: types.AgentConfig): ToolValues => ({
  tools: tools.map((tool) => ({
    ...tool,
    key: newKey(),
    headers: headerRows(tool.headers),
    parameters: JSON.stringify(tool.parameters, null, 2),
    say_while_running: tool.say_while_running ?? '',
  })),
  mcp_servers: mcp_servers.map((server) => ({
    ...server,
    key: newKey(),
    headers: headerRows(server.headers),
    allowed_tools: server.allowed_tools ?? [],
  })),
})

/** Only for values without problems: `JSON.parse` throws for others. */
export const toolInputOf = ({ tools, mcp_servers }: ToolValues) => ({
  tools: tools.map(({ key, headers, parameters, say_while_running, ...tool }) => ({
    ...tool,
    headers: headersOf(headers),
    parameters: JSON.parse(parameters) as Record<string, unknown>,
    say_while_running: say_while_running.trim() || null,
  })),
  mcp_servers: mcp_servers.map(({ key, headers, allowed_tools, ...server }) => ({
    ...server,
    headers: headersOf(headers),
    allowed_tools: allowed_tools.length > 0 ? allowed_tools : null,
  })),
})
