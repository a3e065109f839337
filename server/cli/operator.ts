import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import Type from 'typebox'
import { isEmbedded, type Settings } from '../config.ts'
import { seedOrganization } from '../demo/seed-organization.ts'
import { releaseNumber } from '../features/channels/numbers/release-number.ts'
import { createKey } from '../features/organizations/create-key.ts'
import { createOrganization } from '../features/organizations/create-organization.ts'
import { createSignInLink } from '../features/organizations/create-sign-in-link.ts'
import { allScopes, type Scope } from '../features/organizations/schema.ts'
import { removeSecondFactors } from '../features/organizations/second-factors/remove-second-factors.ts'
import { writeErasures } from '../features/privacy/erasure/replay-erasures.ts'
import { createDatabase } from '../platform/create-database.ts'
import type { Database, SystemSql } from '../platform/database.ts'
import { isUuid } from '../platform/ids.ts'
import { parseInstant } from '../platform/instants.ts'
import { planMigrations } from '../platform/plan-migrations.ts'
import { resealColumn } from '../platform/reseal.ts'
import { Id } from '../platform/schemas.ts'
import { type OpenDatabase, openDatabase } from '../services/open-database.ts'
import { openSecrets } from '../services/open-secrets.ts'
import { sealedColumns } from '../services/sealed-columns.ts'
import { migrateEverything, migrateForCommand } from './migrate-everything.ts'

/** Commands of the operator. They work while the service runs and without it. */

const Found = Type.Object({ id: Id, name: Type.String() })
const Person = Type.Object({ id: Id, email: Type.String() })

async function withDatabase(settings: Settings, work: (database: Database) => Promise<void>): Promise<void> {
  const opened = await openDatabase(settings, () => {})
  try {
    await migrateForCommand(opened)
    const { connection, tenantConnection } = opened
    const database = createDatabase({ connection, tenantConnection, poolSize: 2 })
    await work(database).finally(() => database.close())
  } finally {
    await opened.close()
  }
}

export async function migrateCommand(settings: Settings, { plan = false }: { plan?: boolean }): Promise<void> {
  if (plan && isEmbedded(settings) && !existsSync(join(settings.DATA_DIR, 'postgres'))) {
    console.log(`There is no database in ${settings.DATA_DIR} yet. The first start creates it.`)
    return
  }
  const opened = await openDatabase(settings, () => {})
  try {
    if (plan) return await printPlan(opened)
    const count = await migrateEverything(opened, console.log)
    console.log(count === 0 ? 'The database is up to date.' : `Applied ${count} migrations.`)
  } finally {
    await opened.close()
  }
}

async function printPlan({ connection }: OpenDatabase): Promise<void> {
  const planned = await planMigrations(connection)
  for (const { number, name, purpose, effects } of planned) {
    console.log(`${String(number).padStart(4, '0')} ${name}: ${purpose}`)
    for (const effect of effects) console.log(`       ${effect}`)
  }
  console.log(planned.length === 0 ? 'The database is up to date.' : `${planned.length} migrations would be applied.`)
}

async function organizationOf(sql: SystemSql, id: string | undefined) {
  if (id !== undefined && !isUuid(id)) throw new Error(`--organization must be an id, not "${id}"`)
  const found = id
    ? await sql.maybe(Found)`select id, name from organizations where id = ${id}`
    : await sql.maybe(Found)`select id, name from organizations order by id limit 1`
  if (found) return found
  throw new Error(
    id
      ? `organization ${id} does not exist`
      : 'there is no organization yet; create one with: frontdesk org create --name NAME --owner EMAIL',
  )
}

export async function createOrganizationCommand(
  settings: Settings,
  { name, owner }: { name?: string; owner?: string },
): Promise<void> {
  if (!name?.trim() || name.length > 255)
    throw new Error('--name is required: the name of the organization, at most 255 characters')
  if (!owner || !/^[^\s@]+@[^\s@]+$/.test(owner)) throw new Error('--owner is required: the email address of the owner')
  await withDatabase(settings, async (database) => {
    const { organization, token } = await database.inSystem(async (tx) => {
      const { organization, ownerId } = await createOrganization(tx, { name: name.trim(), owner: { email: owner } })
      return { organization, token: await createSignInLink(tx, ownerId as string) }
    })
    console.log(`Created organization ${organization.name} (${organization.id}).`)
    console.log(`One-time sign-in link for ${owner}, valid for 15 minutes: ${linkTo(settings, token)}`)
  })
}

interface KeyOptions {
  organization?: string
  name?: string
  mode?: string
  scopes?: string
  expires?: string
}

export async function createKeyCommand(settings: Settings, options: KeyOptions): Promise<void> {
  const { mode = 'test', name = 'Created with the CLI', expires } = options
  if (mode !== 'test' && mode !== 'live') throw new Error(`--mode must be test or live, not "${mode}"`)
  const scopes = (options.scopes ?? 'full_access').split(',').map((scope) => scope.trim()) as Scope[]
  const unknown = scopes.filter((scope) => !allScopes.includes(scope))
  if (unknown.length > 0) throw new Error(`unknown scope ${unknown.join(', ')}; valid scopes: ${allScopes.join(', ')}`)
  const expiresAt = expires === undefined ? null : parseInstant(expires)
  if (expiresAt === undefined) throw new Error(`--expires must be a date and time such as 2027-01-31T12:00:00Z`)
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) throw new Error('--expires must be in the future')
  await withDatabase(settings, async (database) => {
    const sql = database.forSystem()
    const organization = await organizationOf(sql, options.organization)
    const key = await createKey(sql, { organizationId: organization.id, name, mode, scopes, expiresAt })
    console.error(`Created a ${mode} key for ${organization.name}. It is shown only once:`)
    console.log(key.secret)
  })
}

export const seedCommand = (settings: Settings, { organization }: { organization?: string }) =>
  withDatabase(settings, async (database) => {
    const { id, name } = await organizationOf(database.forSystem(), organization)
    const seeded = await seedOrganization(database, id)
    console.log(
      seeded
        ? `Added demo data to the test mode of ${name}.`
        : `The test mode of ${name} already has contacts. Nothing was added.`,
    )
  })

export const releaseNumberCommand = (settings: Settings, options: { 'phone-number-id'?: string }) =>
  withDatabase(settings, async (database) => {
    const phoneNumberId = options['phone-number-id']
    if (!phoneNumberId) throw new Error('--phone-number-id is required: the phone number ID from WhatsApp')
    const { organizationName } = await database.inSystem((tx) => releaseNumber(tx, phoneNumberId))
    console.log(`Released phone number ID ${phoneNumberId}, which was reserved for ${organizationName}.`)
  })

export const erasuresCommand = (settings: Settings, { to }: { to?: string }) =>
  withDatabase(settings, async (database) => {
    const list = await writeErasures(database)
    if (to === undefined) process.stdout.write(list)
    else await writeFile(to, list, { mode: 0o600 })
  })

export const signInLinkCommand = (
  settings: Settings,
  { email, 'reset-password': resetsPassword = false }: { email?: string; 'reset-password'?: boolean },
) =>
  withDatabase(settings, async (database) => {
    const sql = database.forSystem()
    const person = email
      ? await sql.maybe(Person)`select id, email from users where lower(email) = lower(${email})`
      : await sql.maybe(Person)`
          select users.id, email from users join members on members.user_id = users.id
          where role = 'owner' order by members.created_at limit 1`
    if (!person)
      throw new Error(
        email ? `there is no person with the email ${email}` : 'there is no organization with an owner yet',
      )
    const token = await database.inSystem((tx) => createSignInLink(tx, person.id))
    const what = resetsPassword ? 'One-time link to choose a new password' : 'One-time sign-in link'
    console.error(`${what} for ${person.email}, valid for 15 minutes:`)
    console.log(linkTo(settings, token, resetsPassword ? 'reset-password' : 'sign-in'))
  })

export const removeSecondFactorsCommand = (settings: Settings, { email }: { email?: string }) =>
  withDatabase(settings, async (database) => {
    if (!email) throw new Error('--email is required: the email address of the person')
    const person = await database.forSystem().maybe(Person)`
      select id, email from users where lower(email) = lower(${email})`
    if (!person) throw new Error(`there is no person with the email ${email}`)
    const removed = await database.inSystem((tx) => removeSecondFactors(tx, person.id))
    console.log(removed ? `Removed the second factor of ${person.email}.` : `${person.email} has no second factor.`)
  })

/** Operators are named here alone: no organization can make one. */
export const operatorCommand = (settings: Settings, verb: 'add' | 'remove' | 'list', { email }: { email?: string }) =>
  withDatabase(settings, async (database) => {
    const sql = database.forSystem()
    if (verb === 'list') {
      const operators = await sql.all(Person)`
        select id, email from operators join users on users.id = user_id order by email`
      for (const operator of operators) console.log(operator.email)
      return
    }
    if (!email) throw new Error('--email is required: the email address of the person')
    const person = await sql.maybe(Person)`select id, email from users where lower(email) = lower(${email})`
    if (!person) throw new Error(`there is no person with the email ${email}: they need an account first`)
    await database.inSystem(async (tx) => {
      await tx.run`select set_config('frontdesk.command_line_user', ${commandLineUser()}, true)`
      if (verb === 'add') await tx.run`insert into operators (user_id) values (${person.id}) on conflict do nothing`
      else await tx.run`delete from operators where user_id = ${person.id}`
    })
    console.log(`${person.email} is ${verb === 'add' ? 'now' : 'no longer'} an operator of this installation.`)
  })

/** For the audit log. A container may run as a user without a name. */
function commandLineUser(): string {
  try {
    return `${userInfo().username} (command line)`
  } catch {
    return 'Command line'
  }
}

export const rotateSecretsCommand = (settings: Settings) => {
  const { SECRET_KEY_PREVIOUS: previousKey } = settings
  if (!previousKey)
    throw new Error(
      'SECRET_KEY_PREVIOUS is not set: set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the previous one (docs/guides/running-it.md)',
    )
  return withDatabase(settings, async (database) => {
    // Stores the digest key before the SECRET_KEY that it was derived from is removed.
    const secrets = await openSecrets(database, settings)
    let unreadable = 0
    for (const sealed of sealedColumns) {
      const counts = await resealColumn(database, secrets, sealed)
      unreadable += counts.unreadable
      console.log(`${sealed.table}.${sealed.column}: ${counts.resealed} re-encrypted, ${counts.current} up to date`)
    }
    if (unreadable > 0)
      console.error(
        `${unreadable} secrets could not be decrypted with either key and were left unchanged. They were encrypted with an older key.`,
      )
    console.log('Done. Remove SECRET_KEY_PREVIOUS and restart every node.')
  })
}

const linkTo = ({ PUBLIC_URL, HOST, PORT }: Settings, token: string, kind = 'sign-in') =>
  `${PUBLIC_URL ?? `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${PORT}`}/#${kind}=${token}`
