import Type, { type Static } from 'typebox'
import { FreeObject, Nullable, OneOf } from '../../../platform/schemas.ts'
import { Results } from '../../agents/results/schema.ts'

/** What is measured and found out once a call has ended. */

const money = (description: string) => Type.Number({ description, examples: [0.014] })
export const CostBreakdown = Type.Object(
  {
    telephony: money('Carrier minutes; each started minute counts'),
    transcription: money('Speech recognition'),
    voice: money('Speech synthesis'),
    llm: money('Language model tokens'),
    own_keys: Type.Optional(
      money('The part of the other figures that the organization pays itself, with its own provider keys'),
    ),
  },
  { title: 'CostBreakdown', description: 'In USD, at the rates in the installation’s settings' },
)
export type CostBreakdown = Static<typeof CostBreakdown>

const Stage = Type.Object({ p50: Type.Integer(), p95: Type.Integer(), max: Type.Integer() }, { title: 'StageLatency' })
const Turn = Type.Object(
  {
    at: Type.Number({
      description: 'When the caller stopped speaking, in seconds since the start of the call',
      examples: [3.4],
    }),
    endpointing: Type.Integer(),
    transcription: Type.Integer(),
    llm: Type.Integer(),
    voice: Type.Integer(),
    total: Type.Integer({ examples: [820] }),
    retrieval: Type.Optional(Type.Integer()),
    tools: Type.Optional(Type.Integer()),
    heard: Type.Optional(Type.Integer({ examples: [860] })),
  },
  { title: 'TurnLatency' },
)
export const Latency = Type.Object(
  {
    turns: Type.Integer({ description: 'Number of turns measured', examples: [4] }),
    endpointing: Stage,
    transcription: Stage,
    llm: Stage,
    voice: Stage,
    total: Stage,
    retrieval: Type.Optional(Stage),
    tools: Type.Optional(Stage),
    heard: Type.Optional(Stage),
    early_starts: Type.Optional(
      Type.Object(
        { used: Type.Integer({ examples: [3] }), discarded: Type.Integer({ examples: [1] }) },
        {
          title: 'EarlyStarts',
          description:
            'Answers that the model started at a pause of the caller: `used` if the turn was over, `discarded` if the caller went on',
        },
      ),
    ),
    by_turn: Type.Optional(Type.Array(Turn, { description: 'Each turn, in order' })),
  },
  {
    title: 'CallLatency',
    description:
      'Milliseconds per stage. `endpointing`: until the end of the caller’s turn was certain; `transcription`: from there to the text; `llm`: from there to the model’s first words; `voice`: from its first sentence to the first audio; `total`: from the end of the caller’s speech to the first audio. Only in calls that have them: `retrieval`: the search in the knowledge base, which may run before the end of the turn is certain; `tools`: tools before the first words, part of `llm`; `heard`: measured in the recording, from the end of the caller’s sound to the start of the agent’s',
  },
)
export type Latency = Static<typeof Latency>

export const Analysis = Type.Object(
  {
    outcome: OneOf(['answered', 'voicemail', 'handed_off', 'transferred', 'not_reached', 'failed'] as const),
    turns: Type.Object({ caller: Type.Integer(), agent: Type.Integer() }),
    words: Type.Object({ caller: Type.Integer(), agent: Type.Integer() }),
    interruptions: Type.Integer({ description: 'How often the caller interrupted the agent' }),
    handoff_reason: Nullable(Type.String()),
    failures: Type.Array(Type.Object({ stage: Type.String(), message: Type.String(), at: Type.Number() }), {
      description: 'Stages that failed during the call, with the time of each failure',
    }),
    fallbacks: Type.Optional(
      Type.Array(
        Type.Object({
          stage: OneOf(['transcriber', 'model', 'voice'] as const),
          from: Type.String({ examples: ['elevenlabs'] }),
          to: Type.String({ examples: ['openai'] }),
          message: Type.String({ description: 'Why the first one failed', examples: ['ElevenLabs answered 503.'] }),
          at: Type.Number({ description: 'In seconds since the start of the call' }),
        }),
        { description: 'Providers that failed and were replaced by the next one of the agent’s chain' },
      ),
    ),
    tool_calls: Type.Optional(
      Type.Array(
        Type.Object({
          name: Type.String({ examples: ['find_order'] }),
          arguments: FreeObject(),
          result: Type.String({ description: 'The first 2,000 characters of the result' }),
          is_error: Type.Boolean(),
          at: Type.Number({ description: 'When it was called, in seconds since the start of the call' }),
        }),
        { description: 'Tools that the agent called, in order' },
      ),
    ),
    summary_by: Nullable(Type.String({ description: 'Model that wrote the summary', examples: ['gpt-5-mini'] })),
    summary_error: Type.Optional(
      Nullable(
        Type.String({
          description: 'Why no model wrote the summary. An unavailable model is retried for about an hour',
          examples: ['openai is overloaded'],
        }),
      ),
    ),
    results: Type.Optional(Results),
  },
  { title: 'CallAnalysis' },
)
export type Analysis = Static<typeof Analysis>
