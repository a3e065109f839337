import Type from 'typebox'
import type { SystemTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { createDefaultTestChannel } from '../channels/create-default-test-channel.ts'
import { OrganizationRow } from './schema.ts'

const UserId = Type.Object({ id: Type.String() })

/** Creates an organization and, if an email is given, its owner; an existing person joins with their account. */
export async function createOrganization(
  tx: SystemTx,
  { name, owner }: { name: string; owner?: { email: string; name?: string } | undefined },
): Promise<{ organization: OrganizationRow; ownerId: string | null }> {
  const organization = await tx.one(OrganizationRow)`
    insert into organizations (id, name) values (${newId()}, ${name})
    returning id, name, requires_second_factor, time_zone, default_country, created_at, updated_at`
  await createDefaultTestChannel(tx, organization.id)
  if (!owner) return { organization, ownerId: null }
  const user = await tx.one(UserId)`
    insert into users (id, email, name) values (${newId()}, ${owner.email}, ${owner.name ?? ''})
    on conflict (lower(email)) do update set email = users.email
    returning id`
  await tx.run`insert into members (organization_id, user_id, role) values (${organization.id}, ${user.id}, 'owner')`
  return { organization, ownerId: user.id }
}
