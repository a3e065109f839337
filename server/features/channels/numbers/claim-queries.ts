import Type from 'typebox'
import type { SystemTx, TenantSql, TenantTx } from '../../../platform/database.ts'
import { Id, Instant, Nullable } from '../../../platform/schemas.ts'

const Claimed = Type.Object({ claimed: Type.Boolean() })

export const claimNumberRow = async (tx: TenantTx, phoneNumberId: string, channelId: string, isProven: boolean) =>
  (await tx.one(Claimed)`select claim_chat_number(${phoneNumberId}, ${channelId}, ${isProven}) as claimed`).claimed

export const releaseNumberRow = (tx: TenantTx, phoneNumberId: string, channelId: string) =>
  tx.run`select release_chat_number(${phoneNumberId}, ${channelId})`

const Taken = Type.Object({ taken: Type.Boolean() })

/** Taken by an organization with a proven claim or a reservation. An unproven claim can still be taken over. */
export const isNumberTaken = async (sql: TenantSql, phoneNumberId: string) =>
  (await sql.one(Taken)`select is_chat_number_taken(${phoneNumberId}) as taken`).taken

const Claim = Type.Object({
  organization_id: Id,
  organization_name: Type.String(),
  channel_id: Nullable(Id),
  reserved_until: Nullable(Instant),
})

export const lockClaim = (tx: SystemTx, phoneNumberId: string) =>
  tx.maybe(Claim)`
    select o.id as organization_id, o.name as organization_name, c.channel_id, c.reserved_until
    from chat_number_claims c join organizations o on o.id = c.owner_organization_id
    where c.phone_number_id = ${phoneNumberId} for update of c`

export const deleteClaim = (tx: SystemTx, phoneNumberId: string) =>
  tx.run`delete from chat_number_claims where phone_number_id = ${phoneNumberId}`
