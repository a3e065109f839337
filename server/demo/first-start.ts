import Type from 'typebox'
import { isLocal, type Settings } from '../config.ts'
import { createKey } from '../features/organizations/create-key.ts'
import { createOrganization } from '../features/organizations/create-organization.ts'
import { createSignInLink } from '../features/organizations/create-sign-in-link.ts'
import { registerBootstrapKey } from '../features/organizations/register-bootstrap-key.ts'
import type { Database } from '../platform/database.ts'
import { Id } from '../platform/schemas.ts'
import type { FileStore } from '../providers/files/contract.ts'
import { seedDocuments } from './seed-documents.ts'
import { seedOrganization } from './seed-organization.ts'

/** What to print for the person who started an embedded service on their own machine. */
export interface Welcome {
  signInToken: string
  /** Only at the first start: afterwards only its owner has the secret. */
  testKey: string | undefined
}

const demoFact = 'demo organization'
const Demo = Type.Object({
  value: Type.Object({ organization_id: Id, owner_id: Id, seeded: Type.Boolean() }),
})
const Exists = Type.Object({ exists: Type.Boolean() })

/**
 * Creates the first organization of an embedded run and a sign-in link for its owner. It may be interrupted at any
 * point: the next start completes it and creates nothing twice.
 */
export async function firstStart(
  { database, files }: { database: Database; files: FileStore },
  settings: Settings,
): Promise<Welcome | undefined> {
  const made = isLocal(settings) ? await makeDemoOrganization(database) : undefined
  if (settings.BOOTSTRAP_API_KEY)
    await database.inSystem((tx) => registerBootstrapKey(tx, settings.BOOTSTRAP_API_KEY as string))
  if (!isLocal(settings)) return undefined
  const demo = await database.forSystem().maybe(Demo)`select value from installation where name = ${demoFact}`
  if (!demo) return undefined
  const { organization_id, owner_id, seeded } = demo.value
  if (!seeded) {
    if (settings.DEMO_DATA) {
      await seedOrganization(database, organization_id)
      await seedDocuments({ database, files }, organization_id)
    }
    await database.forSystem().run`
      update installation set value = value || '{"seeded": true}' where name = ${demoFact}`
  }
  const ownerRemains = await database.forSystem().one(Exists)`
    select exists (select from members where organization_id = ${organization_id} and user_id = ${owner_id})`
  if (!ownerRemains.exists) return undefined
  const signInToken = await database.inSystem((tx) => createSignInLink(tx, owner_id))
  return { signInToken, testKey: made }
}

/** Returns the new test key, or undefined when an organization already exists. */
function makeDemoOrganization(database: Database): Promise<string | undefined> {
  return database.inSystem(async (tx) => {
    await tx.run`select pg_advisory_xact_lock(hashtextextended('first start', 0))`
    const { exists } = await tx.one(Exists)`select exists (select from organizations)`
    if (exists) return undefined
    const { organization, ownerId } = await createOrganization(tx, {
      name: 'Juniper Dental',
      owner: { email: 'owner@example.com', name: 'Olive Owner' },
    })
    const key = await createKey(tx, {
      organizationId: organization.id,
      name: 'First test key',
      mode: 'test',
      scopes: ['full_access'],
      createdBy: ownerId,
    })
    const value = { organization_id: organization.id, owner_id: ownerId, seeded: false }
    await tx.run`insert into installation (name, value) values (${demoFact}, ${value})`
    return key.secret
  })
}
