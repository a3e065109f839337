import Type from 'typebox'
import type { TenantSql } from '../../platform/database.ts'
import { Id } from '../../platform/schemas.ts'

const Found = Type.Object({ contact_id: Id })

/** Which of these contacts a campaign is sending to: the platform may know a message whose id we do not know yet. */
export const findContactsInFlight = async (tx: TenantSql, contactIds: string[]): Promise<string[]> =>
  (
    await tx.all(Found)`
      select distinct contact_id from deliveries
      where contact_id = any(${contactIds}::uuid[]) and status = 'sending' and in_flight`
  ).map(({ contact_id }) => contact_id)
