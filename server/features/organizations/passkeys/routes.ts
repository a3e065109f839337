import { anyScope } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import { signedInHere } from '../sign-in/confirm-person.ts'
import { SignedIn } from '../sign-in/schema.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import type { Welcome } from '../sign-in/welcome.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import { listPasskeys } from './queries.ts'
import { relyingPartyOf } from './relying-party.ts'
import { removePasskey } from './remove-passkey.ts'
import {
  NewPasskey,
  PasskeyCreated,
  PasskeyLogin,
  PasskeyOptions,
  PasskeyPath,
  PasskeyRemoval,
  PasskeySetup,
  Passkeys,
} from './schema.ts'
import { challengePasskey, signInWithPasskey } from './sign-in-with-passkey.ts'

const tag = 'Sign-in'

/** A member who has to set up a second factor first may call these in any organization. */
const own = { tag, scope: anyScope, peopleOnly: true, organization: 'optional' } as const

interface PasskeyDependencies extends SignInServices {
  publicUrl: string | undefined
  welcome: Welcome
}

export function passkeyRoutes(routes: Routes, { publicUrl, welcome, ...services }: PasskeyDependencies): void {
  const { database } = services

  routes.open({
    id: 'createPasskeyChallenge',
    method: 'POST',
    url: '/auth/passkey/options',
    tag,
    summary: 'Start signing in with a passkey',
    description: 'Pass the response to `navigator.credentials.get`. The challenge works once, within five minutes.',
    response: PasskeyOptions,
    errors: [429],
    handler: ({ request }) => challengePasskey(services, relyingPartyOf(request, publicUrl), welcome.clientOf(request)),
  })

  routes.open({
    id: 'loginWithPasskey',
    method: 'POST',
    url: '/auth/passkey',
    tag,
    summary: 'Sign in with a passkey',
    description: 'The device has verified the person, so no password and no code are asked for.',
    body: PasskeyLogin,
    response: SignedIn,
    errors: [401, 429],
    handler: async ({ body, request, reply }) => {
      const party = relyingPartyOf(request, publicUrl)
      const session = await signInWithPasskey(services, party, body.response, welcome.clientOf(request))
      return welcome.enter(request, reply, session)
    },
  })

  routes.stream({
    ...own,
    id: 'listPasskeys',
    method: 'GET',
    url: '/auth/passkeys',
    summary: 'List your passkeys',
    response: Passkeys,
    errors: [403],
    handler: async ({ principal }) => {
      const { userId } = signedInHere(principal.person, 'passkey')
      return { data: await listPasskeys(database.forSystem(), userId) }
    },
  })

  routes.stream({
    ...own,
    id: 'createPasskeyOptions',
    method: 'POST',
    url: '/auth/passkeys/options',
    summary: 'Start adding a passkey',
    description: 'Pass the response to `navigator.credentials.create`. The challenge works once, within five minutes.',
    body: PasskeySetup,
    response: PasskeyOptions,
    handler: ({ body, principal, request }) => {
      const person = signedInHere(principal.person, 'passkey')
      return beginPasskey(services, person, relyingPartyOf(request, publicUrl), body.current_password)
    },
  })

  routes.stream({
    ...own,
    id: 'createPasskey',
    method: 'POST',
    url: '/auth/passkeys',
    summary: 'Add a passkey',
    body: NewPasskey,
    response: PasskeyCreated,
    status: 201,
    errors: [409],
    handler: ({ body, principal, request }) =>
      addPasskey(services, signedInHere(principal.person, 'passkey'), relyingPartyOf(request, publicUrl), body),
  })

  routes.stream({
    ...own,
    id: 'removePasskey',
    method: 'POST',
    url: '/auth/passkeys/{passkey_id}/remove',
    summary: 'Remove a passkey',
    description:
      'Requires the password and, for your last second factor, a code, unless you have signed in with a passkey within 15 minutes. With the last second factor, your recovery codes stop working.',
    params: PasskeyPath,
    body: PasskeyRemoval,
    response: Deleted,
    handler: async ({ params, body, principal, request }) => {
      const person = signedInHere(principal.person, 'passkey')
      const { deviceToken } = welcome.clientOf(request)
      await removePasskey(services, person, params.passkey_id, { ...body, deviceToken })
      return deleted('Passkey')
    },
  })
}
