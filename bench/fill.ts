import type { ClientConfig } from 'pg'
import { createKey } from '../server/features/organizations/create-key.ts'
import { createOrganization } from '../server/features/organizations/create-organization.ts'
import { createDatabase } from '../server/platform/create-database.ts'
import { embeddedTenantConnection } from '../server/platform/tenant-login.ts'

/** Creates an organization with this many contacts in one mode, and an API key for it. */
export async function fill(connection: ClientConfig, contacts: number, mode: 'test' | 'live' = 'test') {
  const database = createDatabase({ connection, tenantConnection: embeddedTenantConnection(connection), poolSize: 2 })
  const made = await database.inSystem(async (tx) => {
    const { organization } = await createOrganization(tx, { name: 'Bench' })
    const key = await createKey(tx, {
      organizationId: organization.id,
      name: 'bench',
      mode,
      scopes: ['full_access'],
    })
    return { organizationId: organization.id, secret: key.secret }
  })
  await database.inTenant(
    { organizationId: made.organizationId, livemode: mode === 'live' },
    (tx) => tx.run`
    insert into contacts (id, phone_number, name, tags, notes, custom_fields, last_activity_at)
    select (overlay(lpad(to_hex(1767225600000 + n * 1000), 12, '0') placing '-' from 9 for 0)
        || substr(gen_random_uuid()::text, 14))::uuid,
      '+1415' || (5550000 + n), 'Person ' || n, array['vip', 'newsletter'], 'Met at the fair',
      jsonb_build_object('plan', 'gold', 'city', 'Oakland'), now()
    from generate_series(1, ${contacts}::integer) n`,
  )
  await database.close()
  return made
}
