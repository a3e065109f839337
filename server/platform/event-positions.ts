import type pg from 'pg'

/**
 * After a restore, the server's transaction ids may be lower than those of the restored events and positions: readers
 * would take old events for future ones and miss new ones. Raises the offset between the two, before the first event is
 * written. As the owner, while no node runs; on a database that is in use it changes nothing.
 */
export async function alignEventPositions(owner: pg.Client): Promise<void> {
  // Row-level security is forced on the tables: an owner that is no superuser sees no rows.
  await owner.query('set role frontdesk_system')
  const { rows } = await owner.query('select lowest_free_event_position()::text as lowest')
  await owner.query('reset role')
  // Read second, because other nodes write meanwhile: no position that was found is above this newer transaction's own.
  const { rows: current } = await owner.query(
    'select event_transaction_id()::text as next, event_transaction_offset()::text as shift',
  )
  const [lowest, next, shift] = [BigInt(rows[0].lowest ?? 0), BigInt(current[0].next), BigInt(current[0].shift)]
  if (next >= lowest) return
  await owner.query(`
    create or replace function event_transaction_offset() returns bigint
      language sql stable parallel safe
      return ${shift + lowest - next}`)
}
