import Type, { type Static } from 'typebox'
import { baseUrl } from './setting.ts'

/** Rates for the cost of a call. */
const rate = (usd: number, what: string) =>
  Type.Number({ minimum: 0, default: usd, description: `${what} In USD, for the cost estimate of calls.` })

export const CallSettings = Type.Object(
  {
    TELEPHONY_BASE_URL: Type.String({
      pattern: baseUrl,
      default: 'https://api.twilio.com',
      description:
        'Address of the carrier for live channels: Twilio or a server with the same REST API. Test mode always uses the simulator.',
    }),
    CALLS_PER_ORGANIZATION: Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 20,
      description: 'Concurrent calls of one organization in each mode; further outbound calls wait.',
    }),
    CALL_DRAIN_SECONDS: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      default: 600,
      description:
        'How long a node that is told to stop waits for the calls it holds. It takes no new ones and hangs up what is left. Your supervisor must wait longer before it kills the process.',
    }),
    RATE_TELEPHONY_PER_MINUTE: rate(0.014, 'Per started minute of a phone call.'),
    RATE_TRANSCRIPTION_PER_MINUTE: rate(0.0077, 'Per minute of speech recognition.'),
    RATE_VOICE_PER_1000_CHARACTERS: rate(0.015, 'Per thousand characters of speech synthesis.'),
    RATE_LLM_PER_MILLION_INPUT_TOKENS: rate(
      0.25,
      'Per million tokens that a language model reads, in calls and chats.',
    ),
    RATE_LLM_PER_MILLION_OUTPUT_TOKENS: rate(2, 'Per million tokens that a language model writes, in calls and chats.'),
    RATE_SPEECH_PER_MILLION_INPUT_TOKENS: rate(32, 'Per million tokens of speech that a speech-to-speech model hears.'),
    RATE_SPEECH_PER_MILLION_OUTPUT_TOKENS: rate(
      64,
      'Per million tokens of speech that a speech-to-speech model speaks.',
    ),
  },
  { title: 'Calls' },
)

type CallSettings = Static<typeof CallSettings>

export function* callProblems({ TELEPHONY_BASE_URL }: CallSettings): Iterable<string> {
  if (!URL.canParse(TELEPHONY_BASE_URL)) yield 'TELEPHONY_BASE_URL must be a valid URL'
}
