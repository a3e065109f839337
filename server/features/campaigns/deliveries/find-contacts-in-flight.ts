import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { recipientId } from './move-queries.ts'

const Found = Type.Object({ contact_id: Id })

/** Which of these contacts a campaign is sending to: the platform may know a message whose id we do not know yet. */
export const findContactsInFlight = async (tx: TenantSql, contactIds: string[]): Promise<string[]> =>
  (
    await tx.all(Found)`
      select distinct contact_id from deliveries
      where contact_id = any(${contactIds}::uuid[]) and status = 'sending' and in_flight`
  ).map(({ contact_id }) => contact_id)

const Recipient = Type.Object({ contact_id: Nullable(Id) })

/** The recipients of those deliveries that the platform is not known to have accepted: a status of theirs locks them. */
export const findUnacceptedRecipients = async (tx: TenantSql, deliveryIds: string[]): Promise<string[]> =>
  (
    await tx.all(Recipient)`
      select ${recipientId} as contact_id from deliveries d
      where d.id = any(${deliveryIds}::uuid[]) and d.accepted_at is null`
  ).flatMap(({ contact_id }) => contact_id ?? [])
