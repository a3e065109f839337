import Type, { type Static } from 'typebox'
import { Id, Nullable, OneOf } from '../../../platform/schemas.ts'
import { onCallSettings } from './on-call-settings.ts'
import { Fallback, Rule } from './rule-settings.ts'

export const TransferTarget = Type.Object(
  {
    name: Type.String({
      pattern: '^[a-zA-Z0-9_-]{1,64}$',
      description: 'What the model calls it',
      examples: ['billing'],
    }),
    number: Type.String({ minLength: 1, maxLength: 64, description: 'E.164', examples: ['+12025550143'] }),
    description: Type.String({
      maxLength: 1000,
      default: '',
      description: 'Tells the model when to transfer there',
      examples: ['Questions about invoices and payments'],
    }),
    schedule_id: Nullable({
      ...Id,
      default: null,
      description:
        'Business hours of the target. Outside them the agent cannot transfer there. Decided when the call starts',
      examples: [null],
    }),
  },
  { title: 'AgentTransferTarget' },
)
export type TransferTarget = Static<typeof TransferTarget>

export const CallSettings = Type.Object(
  {
    max_duration_seconds: Type.Integer({ minimum: 10, maximum: 14_400, default: 600 }),
    silence_timeout_seconds: Type.Integer({ minimum: 5, maximum: 600, default: 30 }),
    silence_reminders: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 2,
      description: 'How often the agent asks whether the caller is still there before silence ends the call',
    }),
    silence_reminder_seconds: Type.Integer({
      minimum: 3,
      maximum: 300,
      default: 10,
      description:
        'Silence before each reminder. Reminders do not delay `silence_timeout_seconds`; those that would come after it are left out',
    }),
    detect_language: Type.Boolean({
      default: false,
      description:
        'Whether speech recognition detects the caller’s language, where the provider can. The agent’s own phrases then follow the caller',
    }),
    interruptible: Type.Boolean({ default: true, description: 'Whether the caller can interrupt the agent' }),
    record: Type.Boolean({ default: true }),
    voicemail: OneOf(['hangup', 'leave_message', 'continue'] as const, { default: 'hangup' }),
    transfer_number: Nullable(
      Type.String({
        maxLength: 64,
        default: null,
        description: 'E.164. The number that calls are transferred to; without it a transfer becomes a hand-off',
        examples: ['+12025550142'],
      }),
    ),
    transfer_targets: Type.Array(TransferTarget, {
      maxItems: 20,
      default: [],
      description:
        'Further numbers that a prompt agent can transfer to. Without `transfer_number`, rules and callers who ask for a person get the first that is open',
    }),
    ...onCallSettings,
    rules: Type.Array(Rule, {
      maxItems: 500,
      default: [],
      description: 'Rules of a static agent; the first match wins',
    }),
    fallback: Type.Unsafe<string | Fallback | null>({
      anyOf: [{ type: 'string', maxLength: 4096 }, Fallback, { type: 'null' }],
      default: null,
      description: 'What a static agent says when no rule matches; a plain string is short for `{say}`',
      examples: [{ say: 'Let me get somebody for you.', then: 'handoff' }],
    }),
  },
  { title: 'AgentCallSettings' },
)
