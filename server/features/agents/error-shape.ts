import Type from 'typebox'
import type { ErrorShape } from '../../platform/http/error-shape.ts'
import { ConflictError, UpstreamError } from '../../platform/http/openapi-refusals.ts'

const AgentError = Type.Object(
  {
    error: Type.Integer({ description: 'HTTP status' }),
    message: Type.String(),
    detail: Type.Optional(Type.String({ description: 'Same as `message`; absent with 400, 401 and 500' })),
    existing_id: ConflictError.properties.existing_id,
    upstream: Type.Optional(UpstreamError.properties.upstream),
  },
  { title: 'AgentError' },
)

const statusOf = (status: number) => (status === 422 ? 400 : status)

export const agentErrors: ErrorShape = {
  paths: ['/agents'],
  name: 'agents',
  schema: AgentError,
  statusOf,
  bodyOf(error, general) {
    const status = statusOf(error.status)
    // The contract names these for agents; for other statuses the general body is added.
    const isNamed = status === 400 || status === 401 || status === 500
    return { error: status, message: error.message, ...(!isNamed && general) }
  },
}
