import Type, { type Static } from 'typebox'
import { Id, Nullable, OneOf } from '../../platform/schemas.ts'
import { Sources, UsedTokens } from '../agents/schema.ts'

const kinds = ['reply', 'summary', 'translation'] as const
const kind = () =>
  OneOf(kinds, {
    description:
      '`reply`: the next message to the contact; `summary`: the conversation in a few sentences, for members; `translation`: `text` in another language',
  })

const language = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?$',
  description: 'A language tag. Required for a translation; otherwise the default is the language of the contact',
  examples: ['de'],
})

export const NewDraft = Type.Object(
  {
    kind: kind(),
    language: Type.Optional(language),
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8192,
        pattern: '\\S',
        description: 'The text to translate. Only for a translation, which requires it',
      }),
    ),
    include_notes: Type.Boolean({
      default: false,
      description: 'Whether the model also reads the ticket’s notes. Not for a translation',
    }),
  },
  { title: 'NewDraft', examples: [{ kind: 'reply' }] },
)
export type NewDraft = Static<typeof NewDraft>

/** A text for a member to check. It is stored nowhere and sent to no one. */
export const Draft = Type.Object(
  {
    kind: kind(),
    text: Type.String({ examples: ['Shipping to Norway costs nine euros.'] }),
    agent_id: Nullable({
      ...Id,
      description:
        'The agent whose instructions, knowledge and model were used; null if the organization has no active one with a model',
    }),
    sources: Sources,
    usage: UsedTokens,
  },
  { title: 'Draft' },
)
export type Draft = Static<typeof Draft>
