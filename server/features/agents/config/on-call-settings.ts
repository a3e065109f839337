import Type, { type Static } from 'typebox'

export const MessageTemplate = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 512, examples: ['appointment_link'] }),
    language: Type.String({ minLength: 2, maxLength: 35, examples: ['en_US'] }),
    description: Type.String({
      maxLength: 1000,
      default: '',
      description: 'Tells the model when to send it',
      examples: ['A link to book an appointment'],
    }),
  },
  { title: 'AgentMessageTemplate' },
)
export type MessageTemplate = Static<typeof MessageTemplate>

/** What a prompt agent can do during a call. All off by default. */
export const onCallSettings = {
  send_messages: Type.Boolean({
    default: false,
    description:
      'Whether a prompt agent can send the contact a chat message during a call, one in a turn and five in a call',
  }),
  message_templates: Type.Array(MessageTemplate, {
    maxItems: 10,
    default: [],
    description:
      'Templates that the agent can send, even outside of the platform’s 24-hour window. Needs `send_messages`',
  }),
  warm_transfer: Type.Boolean({
    default: false,
    description:
      'Whether the person whom a call is transferred to first hears who is calling and why, and takes the call by pressing a key',
  }),
  press_keys: Type.Boolean({
    default: false,
    description:
      'Whether a prompt agent can press keys (DTMF) on phone calls, for example in the menu of another system',
  }),
}
