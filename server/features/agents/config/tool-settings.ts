import Type, { type Static } from 'typebox'
import { FreeObject, Nullable, OneOf } from '../../../platform/schemas.ts'

const headers = (of: string) =>
  Type.Record(Type.String(), Type.String({ maxLength: 8192 }), {
    maxProperties: 50,
    description: `Sent with every request to ${of}. Values are stored encrypted and shown masked; a masked value that you send back stays unchanged`,
    examples: [{ authorization: 'Bearer 9f8e7d6c5b4a' }],
  })

const url = Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' })

export const Tool = Type.Object(
  {
    name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$', examples: ['find_order'] }),
    description: Type.String({
      maxLength: 4096,
      default: '',
      description: 'Tells the model when to use the tool',
      examples: ['Looks up an order by its number'],
    }),
    method: OneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const, { default: 'POST' }),
    url: Type.String({
      maxLength: 2048,
      pattern: '^https?://\\S+$',
      description: '`{name}` in the path or query is replaced by the parameter of that name',
      examples: ['https://api.example.com/orders/{order_number}'],
    }),
    headers: { ...headers('the tool'), default: {} } as ReturnType<typeof headers>,
    parameters: FreeObject({
      default: { type: 'object', properties: {} },
      description:
        'JSON Schema of the parameters that the model fills in. Parameters not used in the address go into the query of a GET or DELETE, otherwise into a JSON body',
      examples: [{ type: 'object', properties: { order_number: { type: 'string' } }, required: ['order_number'] }],
    }),
    timeout_ms: Type.Integer({ minimum: 100, maximum: 120_000, default: 20_000 }),
    say_while_running: Nullable(
      Type.String({ maxLength: 500, default: null, examples: ['One moment, I am looking that up.'] }),
    ),
  },
  { title: 'AgentTool' },
)
export type Tool = Static<typeof Tool>

export const McpServer = Type.Object(
  {
    name: Type.String({ pattern: '^[a-zA-Z0-9_-]{1,64}$', examples: ['calendar'] }),
    url: { ...url, examples: ['https://mcp.example.com/mcp'] } as typeof url,
    headers: { ...headers('the server'), default: {} } as ReturnType<typeof headers>,
    allowed_tools: Nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 128 }), {
        maxItems: 128,
        default: null,
        description: 'Tools the agent may use; null for all',
        examples: [['find_slot', 'book_slot']],
      }),
    ),
  },
  { title: 'AgentMcpServer' },
)
export type McpServer = Static<typeof McpServer>
