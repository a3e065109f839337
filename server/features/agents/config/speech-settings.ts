import Type, { type Static } from 'typebox'
import { Nullable, OneOf } from '../../../platform/schemas.ts'

const phrase = (description: string, example: string) =>
  Nullable(
    Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S', default: null, description, examples: [example] }),
  )

/** Each phrase that the service itself says on a call. Null is the default in the language of the call. */
export const Phrases = Type.Object(
  {
    silence_reminder: phrase('Asked when the line is silent, before silence ends the call', 'Are you still there?'),
    closing: phrase('Said before the call ends because of silence or its maximum length', 'Thank you. Goodbye.'),
    voicemail: phrase(
      'The message for an answering machine. Null leaves the welcome message and a request to call back',
      'This is the front desk of Dr. Lee. Please call us back about your appointment.',
    ),
    transfer: phrase(
      'Said before a transfer if the agent says nothing itself',
      'One moment, please. I am connecting you.',
    ),
    briefing: phrase(
      'Said with `warm_transfer` to the person who answers, before the caller is connected. `{{caller}}` and `{{reason}}` are filled in',
      'Call from {{caller}}. {{reason}} Press any key to take the call.',
    ),
    handoff: phrase(
      'Said before a hand-off if the agent says nothing itself, and when a transferred call is not taken',
      'A colleague will call you back. Goodbye.',
    ),
    hold: phrase('Said if a tool takes longer than two seconds and has no `say_while_running`', 'One moment, please.'),
    not_understood: phrase(
      'Said when the caller has spoken and no words were recognized, once until words are recognized again',
      'I am sorry, I did not understand that. Could you say that once more, please?',
    ),
    say_again: phrase(
      'Said when the model, the recognizer or the voice fails once',
      'I am sorry, we have a technical problem here. Could you say that once more, please?',
    ),
    connecting: phrase(
      'Said when they fail again and the call is transferred',
      'I am sorry, we have a technical problem here. I am connecting you to a colleague.',
    ),
    call_back: phrase(
      'Said when they fail again, or a transfer fails, and a person has to call the contact back',
      'I am sorry, we have a technical problem here. A colleague will call you back.',
    ),
    try_later: phrase(
      'The same for a caller without a number to call back, such as one in a browser',
      'I am sorry, we have a technical problem here. Please try again later.',
    ),
  },
  { title: 'AgentPhrases', description: 'What the service itself says on a call. Variables are filled in' },
)
export type Phrases = Static<typeof Phrases>
export type PhraseName = keyof Phrases

export const TurnTaking = Type.Object(
  {
    min_words: Type.Integer({
      minimum: 1,
      maximum: 10,
      default: 1,
      description: 'Words that the caller has to say to interrupt the agent. Stop words interrupt it at once',
    }),
    sensitivity: OneOf(['low', 'medium', 'high'] as const, {
      default: 'medium',
      description:
        'How easily sound interrupts the agent. Shorter sounds than 900 ms (`low`), 600 ms (`medium`) or 400 ms (`high`) do not, unless they are stop words',
    }),
    welcome_interruptible: Type.Boolean({
      default: true,
      description: 'Whether the caller can interrupt the welcome message',
    }),
    stop_words: Type.Array(Type.String({ minLength: 1, maxLength: 50, pattern: '\\S' }), {
      maxItems: 50,
      default: [],
      description: 'Words that always interrupt, in addition to the language’s own, such as “stop” and “wait”',
      examples: [['cancel']],
    }),
  },
  { title: 'AgentTurnTaking' },
)
export type TurnTaking = Static<typeof TurnTaking>
