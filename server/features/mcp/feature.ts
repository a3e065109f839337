import type { Database } from '../../platform/database.ts'
import type { Feature } from '../../platform/feature.ts'
import type { Log } from '../../platform/log.ts'
import { type McpDependencies, mcpRoutes } from './routes.ts'
import { createToolbox } from './toolbox.ts'
import { createTools } from './tools.ts'

export const mcp: Feature<
  Parameters<typeof createTools>[0] &
    Omit<McpDependencies, 'toolbox' | 'origins'> & {
      database: Database
      log: Log
      settings: { CORS_ORIGINS: string[]; PUBLIC_URL?: string | undefined }
    }
> = {
  requestHeaders: ['mcp-method', 'mcp-name', 'mcp-protocol-version'],
  open: ({ settings: { CORS_ORIGINS, PUBLIC_URL }, ...services }) => ({
    routes: (_routes, server) =>
      mcpRoutes(server, {
        ...services,
        toolbox: createToolbox(createTools(services), services),
        origins: PUBLIC_URL ? [...CORS_ORIGINS, new URL(PUBLIC_URL).origin] : CORS_ORIGINS,
      }),
  }),
}
