import Type from 'typebox'
import { baseUrl, secret } from './setting.ts'

export const SpeechSettings = Type.Object(
  {
    DEEPGRAM_API_KEY: secret({
      description:
        'API key for Deepgram speech recognition of live agents. Test mode never sends speech to a provider.',
    }),
    DEEPGRAM_BASE_URL: Type.String({
      pattern: '^https?://',
      default: 'https://api.deepgram.com',
      description: 'Address of Deepgram: any server with a Deepgram-compatible WebSocket at `{this}/v1/listen`.',
    }),
    DEEPGRAM_MODEL: Type.String({
      default: 'nova-3',
      description: 'Deepgram model for agents that name none.',
    }),
    ELEVENLABS_API_KEY: secret({ description: 'API key for ElevenLabs voices of live agents.' }),
    ELEVENLABS_BASE_URL: Type.String({
      pattern: '^https?://',
      default: 'https://api.elevenlabs.io',
      description:
        'Address of ElevenLabs: any server with an ElevenLabs-compatible `POST {this}/v1/text-to-speech/…/stream`. If it also has `…/stream/with-timestamps`, interruptions are cut to the exact word.',
    }),
    ELEVENLABS_MODEL: Type.String({
      default: 'eleven_flash_v2_5',
      description: 'Model for ElevenLabs voices.',
    }),
    CARTESIA_API_KEY: secret({
      description: 'API key for Cartesia speech recognition and voices of live agents, in many languages.',
    }),
    CARTESIA_BASE_URL: Type.String({
      pattern: '^https?://',
      default: 'https://api.cartesia.ai',
      description:
        'Address of Cartesia: any server with Cartesia-compatible WebSockets at `{this}/stt/websocket` and `{this}/tts/websocket`.',
    }),
    CARTESIA_TRANSCRIBER_MODEL: Type.String({
      default: 'ink-whisper',
      description: 'Cartesia speech recognition model for agents that name none.',
    }),
    CARTESIA_VOICE_MODEL: Type.String({ default: 'sonic-3', description: 'Model for Cartesia voices.' }),
    SPEECH_BASE_URL: Type.Optional(
      Type.String({
        pattern: baseUrl,
        description:
          'A server with OpenAI-compatible `POST {this}/audio/transcriptions` and `POST {this}/audio/speech`, such as `https://api.openai.com/v1`. Live agents can use it for speech recognition and voices, as provider `openai`.',
      }),
    ),
    SPEECH_API_KEY: secret({ description: 'API key for the speech server, if it needs one.' }),
    SPEECH_TRANSCRIBER_MODEL: Type.String({
      default: 'gpt-4o-mini-transcribe',
      description: 'Speech recognition model of the speech server, for agents that name none.',
    }),
    SPEECH_VOICE_MODEL: Type.String({ default: 'gpt-4o-mini-tts', description: 'Voice model of the speech server.' }),
    SPEECH_PROCESSES: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 64,
        description:
          'Number of local processes for speech recognition and synthesis, about 300 MB each while they work. Defaults to the number of processors, at most four.',
      }),
    ),
  },
  { title: 'Speech recognition and voices' },
)
