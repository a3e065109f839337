import type { Feature } from '../../platform/feature.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { ChatHookSettings } from './chat-hook.ts'
import { channelEvents } from './events.ts'
import { channelRoutes } from './routes.ts'

export const channels: Feature<{ phones: PhoneNumbers; secrets: SecretBox; hooks: ChatHookSettings }> = {
  eventKinds: channelEvents,
  open: (services) => ({ routes: (routes) => channelRoutes(routes, services) }),
}
