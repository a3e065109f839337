import Type, { type Static } from 'typebox'
import { baseUrl, secret, together } from './setting.ts'

export const WhatsAppSettings = Type.Object(
  {
    GRAPH_API_BASE_URL: Type.String({
      pattern: baseUrl,
      default: 'https://graph.facebook.com',
      description:
        'Address of the chat platform for live channels: the Graph API or a compatible server. Test mode always uses the simulator.',
    }),
    GRAPH_API_VERSION: Type.String({
      pattern: '^v\\d+\\.\\d+$',
      default: 'v19.0',
      description:
        'Version of the Graph API to request. v19.0, the default, ended on 2026-05-21: set v25.0 for live use. The log, `frontdesk doctor` and the channel’s page show which version serves the requests, and warn 90 days before it ends.',
    }),
    CHAT_APP_SECRET: secret({
      pattern: '^\\S+$',
      description:
        'Secret of a chat platform app for the whole installation: the platform posts its webhooks to `/hooks/chat`, and live channels need no app of their own. Requires `CHAT_VERIFY_TOKEN`.',
    }),
    CHAT_VERIFY_TOKEN: secret({
      description: 'Token that the platform echoes when it verifies `/hooks/chat`. Requires `CHAT_APP_SECRET`.',
    }),
    CAMPAIGN_LEASE_SECONDS: Type.Integer({
      minimum: 2,
      maximum: 300,
      default: 15,
      description:
        'How long a worker that stops sending heartbeats keeps its claimed campaign messages. The same on every node.',
    }),
  },
  { title: 'WhatsApp and campaigns' },
)

type WhatsAppSettings = Static<typeof WhatsAppSettings>

export function* whatsAppProblems(settings: WhatsAppSettings): Iterable<string> {
  if (!URL.canParse(settings.GRAPH_API_BASE_URL)) yield 'GRAPH_API_BASE_URL must be a valid URL'
  yield* together(settings, 'CHAT_APP_SECRET', 'CHAT_VERIFY_TOKEN')
}
