import Type from 'typebox'
import type { TenantSql } from '../../../platform/database.ts'
import { Id } from '../../../platform/schemas.ts'

const Found = Type.Object({ contact_id: Id })

/** The contacts of those messages that the platform is not known to have accepted: a status of theirs locks them. */
export const findUnacceptedMessages = async (tx: TenantSql, messageIds: string[]): Promise<string[]> =>
  (
    await tx.all(Found)`
      select contact_id from messages where id = any(${messageIds}::uuid[]) and accepted_at is null`
  ).map(({ contact_id }) => contact_id)
