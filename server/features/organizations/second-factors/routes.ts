import type { FastifyRequest } from 'fastify'
import { AppError, found } from '../../../platform/errors.ts'
import { anyScope } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted } from '../../../platform/schemas.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { announceAccountChange } from '../mails/announce-account-change.ts'
import { confirmPerson, signedInHere } from '../sign-in/confirm-person.ts'
import type { Cookies } from '../sign-in/cookies.ts'
import type { SignInServices } from '../sign-in/sign-in-services.ts'
import { checkCode, useCode, wrongCode } from './check-code.ts'
import {
  countRecoveryCodes,
  deleteAuthenticator,
  dropUnneededRecoveryCodes,
  findAuthenticator,
  insertCodesReplaced,
} from './queries.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'
import {
  AuthenticatorRemoval,
  AuthenticatorSetup,
  CodeConfirmation,
  NewAuthenticator,
  RecoveryCodes,
  SecondFactors,
} from './schema.ts'
import { beginAuthenticator, finishAuthenticator } from './set-up-authenticator.ts'

const tag = 'Sign-in'

/** A member who has to set up a second factor first may call these in any organization. */
const common = { tag, scope: anyScope, peopleOnly: true, organization: 'optional' } as const

export function secondFactorRoutes(routes: Routes, deps: SignInServices & { cookies: Cookies }): void {
  const { database, secrets, cookies } = deps
  const check = async (userId: string, code: string, request: FastifyRequest) => {
    const checked = await checkCode(deps, userId, code, cookies.deviceToken(request))
    if (!checked) throw wrongCode()
    return checked
  }

  routes.stream({
    ...common,
    id: 'getSecondFactors',
    method: 'GET',
    url: '/auth/second-factors',
    summary: 'Get your second factors',
    response: SecondFactors,
    errors: [403],
    handler: async ({ principal: { person } }) => {
      if (!person) throw new AppError(403, 'Only people have second factors')
      const sql = database.forSystem()
      const [found, { n }] = await Promise.all([
        findAuthenticator(sql, person.userId),
        countRecoveryCodes(sql, person.userId),
      ])
      const confirmed_at = found?.confirmed_at
      return { authenticator: confirmed_at ? { confirmed_at } : null, recovery_codes_left: n }
    },
  })

  routes.stream({
    ...common,
    id: 'createAuthenticator',
    method: 'POST',
    url: '/auth/authenticator',
    summary: 'Set up an authenticator app',
    description:
      'Returns a secret for any TOTP app (SHA-1, 6 digits, 30 seconds). Sign-in asks for codes once you have confirmed the secret with one.',
    body: AuthenticatorSetup,
    response: NewAuthenticator,
    status: 201,
    errors: [409],
    handler: ({ body, principal }) =>
      beginAuthenticator(deps, signedInHere(principal.person, 'second factor'), body.current_password),
  })

  routes.stream({
    ...common,
    id: 'confirmAuthenticator',
    method: 'POST',
    url: '/auth/authenticator/confirm',
    summary: 'Confirm the authenticator app',
    description: 'Turns it on, returns ten recovery codes and ends all other sessions.',
    body: CodeConfirmation,
    response: RecoveryCodes,
    errors: [409],
    handler: async ({ body, principal }) => ({
      recovery_codes: await finishAuthenticator(deps, signedInHere(principal.person, 'second factor'), body.code),
    }),
  })

  routes.stream({
    ...common,
    id: 'createRecoveryCodes',
    method: 'POST',
    url: '/auth/recovery-codes',
    summary: 'Replace your recovery codes',
    description: 'The previous ones stop working.',
    body: CodeConfirmation,
    response: RecoveryCodes,
    status: 201,
    handler: async ({ body, principal, request }) => {
      const { userId } = signedInHere(principal.person, 'second factor')
      const checked = await check(userId, body.code, request)
      return database.inSystem(async (tx) => {
        if (!(await useCode(tx, checked))) throw wrongCode()
        await insertCodesReplaced(tx, userId)
        await announceAccountChange(tx, deps, userId, 'recovery_codes_replaced')
        return { recovery_codes: await replaceRecoveryCodes(tx, secrets, userId) }
      })
    },
  })

  routes.stream({
    ...common,
    id: 'removeAuthenticator',
    method: 'POST',
    url: '/auth/authenticator/remove',
    summary: 'Remove the authenticator app',
    description: 'Requires the password and a code. With the last second factor, your recovery codes stop working.',
    body: AuthenticatorRemoval,
    response: Deleted,
    errors: [404],
    handler: async ({ body, principal, request }) => {
      const person = signedInHere(principal.person, 'second factor')
      await confirmPerson(deps, person, body.current_password)
      const checked = await check(person.userId, body.code, request)
      await database.inSystem(async (tx) => {
        if (!(await useCode(tx, checked))) throw wrongCode()
        found(await deleteAuthenticator(tx, person.userId), 'Authenticator app')
        await dropUnneededRecoveryCodes(tx, person.userId)
        await announceAccountChange(tx, deps, person.userId, 'authenticator_removed')
        tx.signal(credentialsChannel)
      })
      return { message: 'Authenticator app removed' }
    },
  })
}
