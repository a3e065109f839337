import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { conflict } from '../../../platform/errors.ts'
import type { StoredChat } from '../schema.ts'
import { claimNumberRow, isNumberTaken } from './claim-queries.ts'

/** Does not name the organization that has the number. */
export const takenReason = (phoneNumberId: string) =>
  `The chat.phone_number_id ${phoneNumberId} is in use elsewhere. Disconnect it there first, or ask the operator of this installation to release it`

/** Refuses early, before the platform is asked. `claimNumber` checks again. */
export async function refuseTakenNumber(sql: TenantSql, chat: Pick<StoredChat, 'phone_number_id'>): Promise<void> {
  if (await isNumberTaken(sql, chat.phone_number_id)) throw conflict(takenReason(chat.phone_number_id))
}

/** A live number belongs to one organization. An unproven claim yields to one that the platform confirmed. */
export async function claimNumber(
  tx: TenantTx,
  channelId: string,
  chat: Pick<StoredChat, 'phone_number_id'>,
  { isProven }: { isProven: boolean },
): Promise<void> {
  if (!(await claimNumberRow(tx, chat.phone_number_id, channelId, isProven)))
    throw conflict(takenReason(chat.phone_number_id))
}
