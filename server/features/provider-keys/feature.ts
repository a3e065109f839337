import type { Feature } from '../../platform/feature.ts'
import { providerKeyEvents } from './events.ts'
import { providerKeyRoutes } from './routes.ts'
import type { KeyTesting } from './test-own-key.ts'
import type { KeyWriting } from './write-key.ts'

export const providerKeys: Feature<
  Omit<KeyWriting & KeyTesting, 'installed'> & { providers: KeyWriting['installed'] }
> = {
  eventKinds: providerKeyEvents,
  open: ({ providers: installed, ...services }) => ({
    routes: (routes) => providerKeyRoutes(routes, { ...services, installed }),
  }),
}
