import Type from 'typebox'
import { createSignInLink } from '../features/organizations/create-sign-in-link.ts'
import type { Role } from '../features/organizations/schema.ts'
import { newId } from '../platform/ids.ts'
import { type CallAs, ok, type TestApp } from './app.ts'
import { until } from './process.ts'

export interface TestPerson {
  id: string
  email: string
  token: string
  refreshToken: string
  call: CallAs
}

const Row = Type.Object({ id: Type.String() })
let people = 0

/** A user who is a member of these organizations and has signed in by link. The user has no password yet. */
export async function person(
  app: TestApp,
  organizationIds: string | string[],
  role: Role,
  { email = `person${++people}@example.com`, name = 'Pat Person' } = {},
): Promise<TestPerson> {
  const id = await app.database.inSystem(async (tx) => {
    const user = await tx.one(Row)`
      insert into users (id, email, name) values (${newId()}, ${email}, ${name}) returning id`
    for (const organizationId of [organizationIds].flat())
      await tx.run`insert into members (organization_id, user_id, role) values (${organizationId}, ${user.id}, ${role})`
    return user.id
  })
  return signInByLink(app, id, email)
}

export async function signInByLink(app: TestApp, id: string, email = ''): Promise<TestPerson> {
  const link = await app.database.inSystem((tx) => createSignInLink(tx, id))
  const { access_token, refresh_token } = ok(await app.call('POST', 'auth/link', { token: link }))
  return { id, email, token: access_token, refreshToken: refresh_token, call: app.as(access_token) }
}

/** Polls until the response has the expected status; returns how long that took, in ms. */
export async function untilStatus(call: () => Promise<{ status: number }>, status: number): Promise<number> {
  const startedAt = performance.now()
  await until(async () => (await call()).status === status)
  return performance.now() - startedAt
}
