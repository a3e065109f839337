import Type from 'typebox'
import { secret } from './setting.ts'

export const AgentSettings = Type.Object(
  {
    OPENAI_API_KEY: secret({
      description: 'API key for the `openai` models of live agents. Test mode never calls a hosted model.',
    }),
    OPENAI_BASE_URL: Type.String({
      pattern: '^https?://',
      default: 'https://api.openai.com/v1',
      description:
        'Address of `openai`: any server with an OpenAI-compatible `POST {this}/chat/completions`. Your own server may need no key.',
    }),
    OPENAI_REALTIME_MODEL: Type.String({
      default: 'gpt-realtime',
      description:
        'Speech-to-speech model for live agents with `voice_settings.mode: "speech_to_speech"` that name none, at `OPENAI_BASE_URL` (WebSocket `{this}/realtime`).',
    }),
    ANTHROPIC_API_KEY: secret({ description: 'API key for the `anthropic` models of live agents.' }),
    ANTHROPIC_BASE_URL: Type.String({
      pattern: '^https?://',
      default: 'https://api.anthropic.com',
      description: 'Address of `anthropic`: any server with an Anthropic-compatible `POST {this}/v1/messages`.',
    }),
    GOOGLE_API_KEY: secret({ description: 'API key for the `google` (Gemini) models of live agents.' }),
    GOOGLE_BASE_URL: Type.String({
      pattern: '^https?://',
      default: 'https://generativelanguage.googleapis.com',
      description:
        'Address of `google`: any server with a Google-compatible `POST {this}/v1beta/models/…:streamGenerateContent`.',
    }),
    AGENT_REPLY_DELAY_MS: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      default: 1500,
      description:
        'How long an agent waits for another message from the same contact before it answers all of them in one reply.',
    }),
    AGENT_REPLIES_PER_HOUR: Type.Integer({
      minimum: 1,
      maximum: 1000,
      default: 30,
      description:
        'Maximum number of agent replies to one contact per hour. After that a person has to reply, which ends a conversation between two machines.',
    }),
  },
  { title: 'Agents and language models' },
)
