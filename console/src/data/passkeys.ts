import type { api as types } from '@frontdesk/sdk'
import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { api, signInApi } from './api.ts'

/** Browsers bind passkeys to a host name: at a bare IP address there are none. */
export const canUsePasskeys = () => browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(location.hostname)

/** The browser's dialog was closed, or no passkey was chosen in time. */
export const isCancelled = (error: unknown) => error instanceof Error && error.name === 'NotAllowedError'

export async function addPasskey(name: string, current_password: string): Promise<types.PasskeyCreated> {
  const optionsJSON = await api.signIn.createPasskeyOptions({ ...(current_password && { current_password }) })
  const response = await startRegistration({ optionsJSON: optionsJSON as never })
  return api.signIn.createPasskey({ name, response: { ...response } })
}

export async function signInWithPasskey(): Promise<void> {
  const optionsJSON = await signInApi.signIn.createPasskeyChallenge()
  const response = await startAuthentication({ optionsJSON: optionsJSON as never })
  await signInApi.signIn.loginWithPasskey({ response: { ...response } })
}
