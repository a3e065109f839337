import { IconBellRinging, IconBook2, IconPencil, IconPhoneIncoming } from '@tabler/icons-react'
import type { AgentValues } from './agent-values.ts'
import { newKey } from './row-keys.ts'

export interface StartingPoint {
  id: string
  title: string
  text: string
  icon: typeof IconPencil
  values: Partial<AgentValues>
}

/** Starting values for the form. */
export const startingPoints = (organization: string): StartingPoint[] => [
  {
    id: 'receptionist',
    title: 'Receptionist',
    text: 'Answers the phone, gives opening hours from fixed rules and hands everything else to a person. Needs no model.',
    icon: IconPhoneIncoming,
    values: {
      name: 'Receptionist',
      agent_type: 'static',
      welcome_message: `Hello, this is ${organization}. How can I help you?`,
      rules: [
        {
          key: newKey(),
          when: ['opening hours', 'open', 'hours'],
          say: 'We are open from nine to five, Monday to Friday.',
          choices: [],
          next: '',
        },
        {
          key: newKey(),
          when: ['pay', 'payment', 'credit card', 'price', 'prices'],
          say: 'A colleague can tell you about prices and payment. Say “person”, and they will call you back.',
          choices: [],
          next: '',
        },
        {
          key: newKey(),
          when: ['person', 'human', 'somebody', 'complaint'],
          say: 'I will ask a colleague to call you back.',
          choices: [],
          next: 'handoff',
        },
        {
          key: newKey(),
          when: ['goodbye', 'bye bye'],
          say: 'Thank you for calling. Goodbye.',
          choices: [],
          next: 'end',
        },
        {
          key: newKey(),
          // The last rule, and it does not end the call: thanks may come with a question that no rule answers.
          when: ['thanks', 'thank you'],
          say: 'You’re welcome. For anything else, say “person”, and a colleague will call you back.',
          choices: [],
          next: '',
        },
      ],
      fallback_say: 'I am not sure about that. I will ask a colleague to call you back.',
      fallback_next: 'handoff',
    },
  },
  {
    id: 'reminder',
    title: 'Appointment reminder',
    text: 'Calls people to remind them of an appointment and asks whether they can still come. Leaves a voicemail.',
    icon: IconBellRinging,
    values: {
      name: 'Appointment reminder',
      agent_type: 'prompt',
      welcome_message: `Hello {{contact.name}}, this is ${organization}. You have an appointment {{appointment}}. Does that time still work for you?`,
      system_prompt: [
        `You call on behalf of ${organization} to remind {{contact.name}} of an appointment {{appointment}}.`,
        'Find out whether they will come. If they will, thank them and say goodbye.',
        'If they cannot, ask which days suit them better and say that a colleague will call back; then hand over.',
        'Keep to short, friendly sentences. Never ask for passwords or card numbers.',
      ].join('\n'),
      voicemail: 'leave_message',
      max_duration_seconds: 180,
      silence_timeout_seconds: 15,
    },
  },
  {
    id: 'support',
    title: 'Support from documents',
    text: 'Answers questions from your knowledge base by phone and in the inbox, cites the source and hands off what it does not know.',
    icon: IconBook2,
    values: {
      name: 'Support',
      agent_type: 'prompt',
      welcome_message: `Hello, this is the support of ${organization}. What can I do for you?`,
      system_prompt: [
        `You are the support of ${organization}.`,
        'Answer only from the documents of the knowledge base and say which document the answer is from.',
        'If they do not hold the answer, say so and offer to get a colleague.',
        'Keep answers to two or three sentences.',
      ].join('\n'),
    },
  },
  { id: 'empty', title: 'Blank agent', text: 'An empty form with default settings.', icon: IconPencil, values: {} },
]
