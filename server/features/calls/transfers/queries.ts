import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../../platform/database.ts'
import { Nullable } from '../../../platform/schemas.ts'
import { columns } from '../queries.ts'
import { Call } from '../schema.ts'
import type { Transfer } from './schema.ts'

/** With the language of the briefing and what the caller hears if the call is not taken, which the API does not show. */
type StoredTransfer = Transfer & {
  language: string
  /** Missing in a transfer that began before the upgrade. */
  not_taken?: { text: string; language: string }
}

export const saveTransfer = (sql: TenantSql, id: string, transfer: StoredTransfer) =>
  sql.run`
    update calls set transfer = ${JSON.stringify(transfer)}::jsonb, updated_at = now() where id = ${id}`

/** Removes a transfer that did not take place. One that has an outcome stays. */
export const removeTransfer = (sql: TenantSql, id: string) =>
  sql.run`
    update calls set transfer = null, updated_at = now() where id = ${id} and transfer ->> 'status' = 'requested'`

const TransferredCall = Type.Object({
  channel_id: Nullable(Type.String()),
  call_id: Type.String(),
  transfer: Type.Unsafe<StoredTransfer | null>({}),
})

export const findTransfer = (sql: TenantSql, id: string) =>
  sql.maybe(TransferredCall)`select channel_id, call_id, transfer from calls where id = ${id}`

/** Sets the outcome of a transfer once. Undefined if it has one already. */
export const concludeTransferRow = (tx: TenantTx, id: string, status: Transfer['status']) =>
  tx.maybe(Call)`
    update calls set transfer = transfer || jsonb_build_object('status', ${status}::text), updated_at = now()
    where id = ${id} and transfer ->> 'status' = 'requested'
    returning ${columns}`
