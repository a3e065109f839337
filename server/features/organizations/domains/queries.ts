import Type from 'typebox'
import type { SystemSql, SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { readCursorPage } from '../../../platform/http/pagination.ts'
import { newId } from '../../../platform/ids.ts'
import { Id } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { Role } from '../schema.ts'
import { Domain, type DomainFilter, type NewDomain } from './schema.ts'

const columns = sql`id, organization_id, domain, role, '_frontdesk.' || domain as record_name,
  'frontdesk-verification=' || verification as record_value, verified_at, last_checked_at, failing_since, created_at`

export const listDomains = (tx: TenantSql, filter: DomainFilter) =>
  readCursorPage<Domain>(tx, { columns, from: sql`domains` }, filter)

export const findDomain = (tx: TenantSql, id: string) =>
  tx.maybe(Domain)`select ${columns} from domains where id = ${id}`

/** No row if the organization has this domain already. */
export const insertDomain = (tx: TenantTx, { domain, role }: NewDomain, verification: string) =>
  tx.maybe(Domain)`
    insert into domains (id, domain, role, verification) values (${newId()}, ${domain}, ${role}, ${verification})
    on conflict (organization_id, domain) do nothing
    returning ${columns}`

export const markVerified = (tx: TenantTx, id: string) =>
  tx.maybe(Domain)`
    update domains set verified_at = coalesce(verified_at, now()), last_checked_at = now(), failing_since = null
    where id = ${id} returning ${columns}`

export const deleteDomain = (tx: TenantTx, id: string) => tx.run`delete from domains where id = ${id}`

const DomainToCheck = Type.Pick(Domain, ['organization_id', 'id', 'domain', 'record_name', 'record_value'])

/** Verified ones that were not checked for a day, the longest unchecked first. */
export const listDomainsToCheck = (sql: SystemSql, most: number) =>
  sql.all(DomainToCheck)`
    select organization_id, id, domain, record_name, record_value from (
      select ${columns} from domains
      where verified_at is not null and (last_checked_at is null or last_checked_at < now() - interval '1 day')
      order by last_checked_at nulls first limit ${most}) due`

const Checked = Type.Pick(Domain, ['verified_at', 'last_checked_at', 'failing_since'])

/** A record that has been missing for longer than the grace ends the verification. */
export const noteCheck = (
  tx: SystemTx,
  {
    organizationId,
    id,
    isFound,
    graceDays,
  }: { organizationId: string; id: string; isFound: boolean; graceDays: number },
) =>
  tx.maybe(Checked)`
    update domains set last_checked_at = now(),
      failing_since = case when ${isFound} then null else coalesce(failing_since, now()) end,
      verified_at = case when ${isFound} or failing_since is null
        or failing_since > now() - make_interval(days => ${graceDays}) then verified_at end
    where organization_id = ${organizationId} and id = ${id} and verified_at is not null
    returning verified_at, last_checked_at, failing_since`

const Owner = Type.Object({ organization_id: Id, role: Role })

/** The organization that has proved that the domain of this email is its own, unless it has removed the person. */
export const findOrganizationToJoin = (tx: SystemTx, email: string) =>
  tx.maybe(Owner)`
    select organization_id, role from domains
    where domain = ${email.slice(email.lastIndexOf('@') + 1).toLowerCase()} and verified_at is not null
      and not exists (
        select from removed_members join users on users.id = user_id
        where removed_members.organization_id = domains.organization_id and lower(users.email) = lower(${email}))`
