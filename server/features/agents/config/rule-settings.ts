import Type, { type Static } from 'typebox'
import { OneOf } from '../../../platform/schemas.ts'

/** What a static agent says. */

const say = Type.String({ maxLength: 4096, examples: ['We are open from nine to five.'] })
const next = OneOf(['end', 'handoff', 'transfer'] as const, { description: 'What to do after saying it' })

const choices = Type.Array(
  Type.String({ minLength: 1, maxLength: 72, pattern: '\\S', examples: ['Book an appointment'] }),
  {
    minItems: 1,
    maxItems: 10,
    uniqueItems: true,
    description:
      'Answers to choose from: in chat up to three buttons or a list, on the phone words. The customer’s choice arrives as their words, so another rule can answer it. Not together with `then`',
    examples: [['Book an appointment', 'Opening hours']],
  },
)

export const Rule = Type.Object(
  {
    when: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Words or phrases. One match is enough; case is ignored',
      examples: [['opening hours', 'open']],
    }),
    say,
    choices: Type.Optional(choices),
    then: Type.Optional(next),
  },
  { title: 'AgentRule' },
)
export type Rule = Static<typeof Rule>

export const Fallback = Type.Object(
  { say, choices: Type.Optional(choices), then: Type.Optional(next) },
  { title: 'AgentFallback' },
)
export type Fallback = Static<typeof Fallback>
