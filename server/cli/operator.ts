import Type from 'typebox'
import type { Settings } from '../config.ts'
import { seedOrganization } from '../demo/seed-organization.ts'
import { releaseNumber } from '../features/channels/release-number.ts'
import { createKey } from '../features/organizations/create-key.ts'
import { createOrganization } from '../features/organizations/create-organization.ts'
import { createSignInLink } from '../features/organizations/create-sign-in-link.ts'
import { allScopes, type Scope } from '../features/organizations/schema.ts'
import { createDatabase, type Database, type SystemSql } from '../platform/database.ts'
import { isUuid } from '../platform/ids.ts'
import { parseInstant } from '../platform/instants.ts'
import { resealColumn } from '../platform/reseal.ts'
import { Id } from '../platform/schemas.ts'
import { openDatabase } from '../services/open-database.ts'
import { openSecrets } from '../services/open-secrets.ts'
import { sealedColumns } from '../services/sealed-columns.ts'
import { migrateEverything } from './migrate-everything.ts'

/** What the person who runs the service does from the command line, beside or without the running service. */

const Found = Type.Object({ id: Id, name: Type.String() })
const Person = Type.Object({ id: Id, email: Type.String() })

async function withDatabase(settings: Settings, work: (database: Database) => Promise<void>): Promise<void> {
  const opened = await openDatabase(settings, () => {})
  try {
    await migrateEverything(opened)
    const { connection, tenantConnection } = opened
    const database = createDatabase({ connection, tenantConnection, poolSize: 2 })
    await work(database).finally(() => database.close())
  } finally {
    await opened.close()
  }
}

export async function migrateCommand(settings: Settings): Promise<void> {
  const opened = await openDatabase(settings, () => {})
  try {
    const count = await migrateEverything(opened, console.log)
    console.log(count === 0 ? 'Nothing to do: the database is up to date.' : `Applied ${count} migrations.`)
  } finally {
    await opened.close()
  }
}

async function organizationOf(sql: SystemSql, id: string | undefined) {
  if (id !== undefined && !isUuid(id)) throw new Error(`--organization must be an id, not "${id}"`)
  const found = id
    ? await sql.maybe(Found)`select id, name from organizations where id = ${id}`
    : await sql.maybe(Found)`select id, name from organizations order by id limit 1`
  if (found) return found
  throw new Error(
    id
      ? `there is no organization ${id}`
      : 'there is no organization yet: frontdesk org create --name NAME --owner EMAIL',
  )
}

export const createOrganizationCommand = (settings: Settings, { name, owner }: { name?: string; owner?: string }) =>
  withDatabase(settings, async (database) => {
    if (!name?.trim() || name.length > 255)
      throw new Error('--name is needed: what the organization is called, at most 255 characters')
    if (!owner || !/^[^\s@]+@[^\s@]+$/.test(owner))
      throw new Error('--owner is needed: the e-mail address of the person in charge')
    const { organization, token } = await database.inSystem(async (tx) => {
      const { organization, ownerId } = await createOrganization(tx, { name: name.trim(), owner: { email: owner } })
      return { organization, token: await createSignInLink(tx, ownerId as string) }
    })
    console.log(`Made the organization ${organization.name} (${organization.id}).`)
    console.log(`${owner} signs in here, once, within 15 minutes: ${linkTo(settings, token)}`)
  })

interface KeyOptions {
  organization?: string
  name?: string
  mode?: string
  scopes?: string
  expires?: string
}

export const createKeyCommand = (settings: Settings, options: KeyOptions) =>
  withDatabase(settings, async (database) => {
    const { mode = 'test', name = 'Made on the command line', expires } = options
    if (mode !== 'test' && mode !== 'live') throw new Error(`--mode must be test or live, not "${mode}"`)
    const scopes = (options.scopes ?? 'full_access').split(',').map((scope) => scope.trim()) as Scope[]
    const unknown = scopes.filter((scope) => !allScopes.includes(scope))
    if (unknown.length > 0) throw new Error(`there is no scope ${unknown.join(', ')}: use ${allScopes.join(', ')}`)
    const expiresAt = expires === undefined ? null : parseInstant(expires)
    if (expiresAt === undefined) throw new Error(`--expires must be a date and time such as 2027-01-31T12:00:00Z`)
    if (expiresAt && Date.parse(expiresAt) <= Date.now()) throw new Error('--expires must be in the future')
    const organization = await organizationOf(database.forSystem(), options.organization)
    const key = await createKey(database.forSystem(), {
      organizationId: organization.id,
      name,
      mode,
      scopes,
      expiresAt,
    })
    console.error(`A ${mode} key for ${organization.name}, shown this once:`)
    console.log(key.secret)
  })

export const seedCommand = (settings: Settings, { organization }: { organization?: string }) =>
  withDatabase(settings, async (database) => {
    const { id, name } = await organizationOf(database.forSystem(), organization)
    const seeded = await seedOrganization(database, id)
    console.log(
      seeded
        ? `Filled the test mode of ${name} with demo data.`
        : `The test mode of ${name} holds contacts already: nothing was added.`,
    )
  })

export const releaseNumberCommand = (settings: Settings, options: { 'phone-number-id'?: string }) =>
  withDatabase(settings, async (database) => {
    const phoneNumberId = options['phone-number-id']
    if (!phoneNumberId) throw new Error('--phone-number-id is needed: the id of the number at the platform')
    const { organizationName } = await database.inSystem((tx) => releaseNumber(tx, phoneNumberId))
    console.log(`Released the phone number id ${phoneNumberId}, which was reserved for ${organizationName}.`)
  })

export const signInLinkCommand = (settings: Settings, { email }: { email?: string }) =>
  withDatabase(settings, async (database) => {
    const sql = database.forSystem()
    const person = email
      ? await sql.maybe(Person)`select id, email from users where lower(email) = lower(${email})`
      : await sql.maybe(Person)`
          select users.id, email from users join members on members.user_id = users.id
          where role = 'owner' order by members.created_at limit 1`
    if (!person)
      throw new Error(email ? `nobody here has the e-mail ${email}` : 'there is no organization with an owner yet')
    const token = await database.inSystem((tx) => createSignInLink(tx, person.id))
    console.error(`${person.email} signs in here, once, within 15 minutes:`)
    console.log(linkTo(settings, token))
  })

export const rotateSecretsCommand = (settings: Settings) => {
  const { SECRET_KEY_PREVIOUS: previousKey } = settings
  if (!previousKey)
    throw new Error(
      'set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the former one (docs/guides/running-it.md)',
    )
  return withDatabase(settings, async (database) => {
    // Makes sure that the key of digests is kept before the key that it was derived from is gone.
    const secrets = await openSecrets(database, settings)
    let unreadable = 0
    for (const sealed of sealedColumns) {
      const counts = await resealColumn(database, secrets, sealed)
      unreadable += counts.unreadable
      console.log(`${sealed.table}.${sealed.column}: ${counts.resealed} sealed anew, ${counts.current} were already`)
    }
    if (unreadable > 0)
      console.error(`${unreadable} secrets open with neither key and stay as they are: some older key sealed them.`)
    console.log('Everything else is sealed with SECRET_KEY. Remove SECRET_KEY_PREVIOUS and restart every node.')
  })
}

const linkTo = ({ PUBLIC_URL, HOST, PORT }: Settings, token: string) =>
  `${PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`}/#sign-in=${token}`
