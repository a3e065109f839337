import Type, { type Static } from 'typebox'
import { FreeObject, Id, Nullable, OneOf } from '../../../platform/schemas.ts'
import { categories, templateLanguage, templateName } from '../schema.ts'

export const LibraryPath = Type.Object({
  template_id: Type.String({
    minLength: 1,
    maxLength: 512,
    description: 'Name of the library template',
    examples: ['order_confirmation_1'],
  }),
})
export const LibraryChannel = Type.Object({ channel_id: Id })
export const LibraryChoice = Type.Object(
  {
    language: templateLanguage,
    name: Type.Optional({ ...templateName, description: 'Your own name for it; the library’s name by default' }),
    button_inputs: Type.Optional(
      Type.Array(FreeObject(), {
        maxItems: 10,
        description: 'Inputs that the buttons of some library templates need, in the platform’s format',
        examples: [[{ type: 'URL', url: { base_url: 'https://example.com/{{1}}', url_suffix_example: 'demo' } }]],
      }),
    ),
  },
  { title: 'LibraryChoice', examples: [{ language: 'en_US' }] },
)
export type LibraryChoice = Static<typeof LibraryChoice>

export const LibraryReply = Type.Object(
  {
    id: Type.String({ description: 'The platform’s id', examples: ['810200300400777'] }),
    status: Type.String({ description: 'The platform’s status', examples: ['APPROVED'] }),
    category: Type.String({ examples: ['UTILITY'] }),
    template_id: Nullable({
      ...Id,
      description: 'The stored template; null while another template with that name is being registered',
    }),
  },
  { title: 'LibraryReply' },
)

export const LibraryFilter = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 255 })),
  category: Type.Optional(OneOf(categories)),
  language: Type.Optional(Type.String({ maxLength: 20 })),
  channel_id: Type.Optional({
    ...Id,
    description: 'Channel to ask the platform through; the oldest chat channel by default',
  }),
})
export type LibraryFilter = Static<typeof LibraryFilter>

export const LibraryPage = Type.Object({
  items: Type.Array(
    Type.Object(
      {
        id: Type.String({ examples: ['7147013345418927'] }),
        name: Type.String({ examples: ['delivery_update_1'] }),
        language: Type.String({ examples: ['en_US'] }),
        category: Type.String({ examples: ['UTILITY'] }),
        topic: Type.String({ examples: ['ORDER_MANAGEMENT'] }),
        usecase: Type.String({ examples: ['DELIVERY_UPDATE'] }),
        industry: Type.Array(Type.String(), { examples: [['E_COMMERCE']] }),
        header: Type.String({ examples: ['Update on your order'] }),
        body: Type.String({ examples: ['Your order {{1}} is on its way.'] }),
        body_params: Type.Array(Type.String(), { examples: [['12345']] }),
        body_param_types: Type.Array(Type.String(), { examples: [['TEXT']] }),
        buttons: Type.Array(FreeObject(), { examples: [[]] }),
      },
      { title: 'LibraryTemplate' },
    ),
  ),
})
