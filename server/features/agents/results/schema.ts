import Type, { type Static } from 'typebox'
import { FreeObject, Nullable, OneOf } from '../../../platform/schemas.ts'

const name = (example: string) => Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', examples: [example] })
const meaning = (description: string, example: string) =>
  Type.String({ maxLength: 1000, default: '', description, examples: [example] })

export const ContactFieldMapping = Type.Object(
  {
    property: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A property at the top level of `extract`',
      examples: ['plan'],
    }),
    field: Type.String({
      pattern: '^(name|custom_fields\\.[^.\\s][^.]{0,99})$',
      description: '`name`, or `custom_fields.` and the name of a custom field',
      examples: ['custom_fields.plan'],
    }),
    overwrite: Type.Boolean({
      default: false,
      description: 'Whether a value that the contact already has is replaced. By default only empty fields are filled',
    }),
  },
  { title: 'AgentContactField' },
)
export type ContactFieldMapping = Static<typeof ContactFieldMapping>

export const SuccessCriterion = Type.Object(
  {
    name: name('Appointment booked'),
    description: meaning('Tells the model when the criterion is met', 'The contact agreed to a date and a time'),
  },
  { title: 'AgentSuccessCriterion' },
)
export type SuccessCriterion = Static<typeof SuccessCriterion>

export const Disposition = Type.Object(
  {
    name: name('Call back'),
    description: meaning('Tells the model when it applies', 'The contact asked to be called'),
  },
  { title: 'AgentDisposition' },
)
export type Disposition = Static<typeof Disposition>

export const ResultSettings = Type.Object(
  {
    extract: Nullable(
      FreeObject({
        default: null,
        description:
          'JSON Schema of an object to fill from the conversation when it is over. At most 50 properties, 32,768 characters and 32 levels, without `$ref`. Regular expressions and formats are only shown to the model',
        examples: [{ type: 'object', properties: { plan: { type: 'string', enum: ['basic', 'gold'] } } }],
      }),
    ),
    contact_fields: Type.Array(ContactFieldMapping, {
      maxItems: 50,
      default: [],
      description: 'Fields of the contact that extracted properties are written to',
    }),
    success_criteria: Type.Array(SuccessCriterion, {
      maxItems: 20,
      default: [],
      description: 'Judged when the conversation is over, each with a reason',
    }),
    dispositions: Type.Array(Disposition, {
      maxItems: 50,
      default: [],
      description: 'How a conversation can end. The model chooses one at most',
    }),
  },
  { title: 'AgentResults', description: 'What the agent determines after each call and each closed chat' },
)
export type ResultSettings = Static<typeof ResultSettings>

const CriterionResult = Type.Object(
  {
    name: Type.String({ examples: ['Appointment booked'] }),
    result: OneOf(['met', 'not_met', 'unknown'] as const),
    reason: Type.String({ examples: ['The caller agreed to Monday at nine.'] }),
  },
  { title: 'CriterionResult' },
)

const WrittenField = Type.Object(
  {
    property: Type.String({ examples: ['plan'] }),
    field: Type.String({ examples: ['custom_fields.plan'] }),
    value: Type.Unknown({ description: 'The extracted value', examples: ['gold'] }),
    status: OneOf(['written', 'unchanged', 'kept', 'invalid', 'no_contact'] as const, {
      description:
        '`kept`: the contact has another value, and the mapping does not overwrite; `unchanged`: it has this value; `invalid`: the field cannot have it',
    }),
  },
  { title: 'WrittenField' },
)

export const Results = Type.Object(
  {
    extracted: Nullable(FreeObject({ description: 'Fits `extract`; null if nothing that fits was found' })),
    success_criteria: Type.Array(CriterionResult),
    disposition: Nullable(Type.String({ examples: ['Call back'] })),
    contact_fields: Type.Array(WrittenField),
    model: Nullable(
      Type.String({
        description: '`scripted` where no model was asked: in test mode and for static agents. Null if it failed',
        examples: ['gpt-5-mini'],
      }),
    ),
    error: Nullable(Type.String({ description: 'Why results are missing', examples: [null] })),
  },
  { title: 'ConversationResults', description: 'What the agent’s `results` asked for' },
)
export type Results = Static<typeof Results>

export const MemorySettings = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: 'Whether a prompt agent knows the contact’s earlier conversations and open tasks',
    }),
    conversations: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 3,
      description: 'How many earlier calls and chats it knows, newest first',
    }),
  },
  { title: 'AgentMemory' },
)
