import pg, { type ClientConfig } from 'pg'
import Type from 'typebox'
import type { Database } from '../platform/database.ts'
import type { Subscription } from '../platform/events.ts'

/** A subscriber that records the events it gets, in order, through the transaction it is given. */
export const hearing = (name: string, types: string[]): Subscription => ({
  name,
  types,
  async react(events, tx) {
    const ids = events.map(({ id }) => id)
    const numbers = events.map(({ data }) => (data.object as { n?: number }).n ?? 0)
    await tx.run`
      insert into heard (subscriber, event_id, n)
      select ${name}, id, n from unnest(${ids}::uuid[], ${numbers}::integer[]) with ordinality e (id, n, place)
      order by place`
  },
})

/** The table that `hearing` writes to. */
export async function makeHeard(connection: ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`
    create table heard (place bigserial, subscriber text not null, event_id uuid not null, n integer not null);
    grant select, insert on heard to frontdesk_system;
    grant usage on sequence heard_place_seq to frontdesk_system`)
  await client.end()
}

const Heard = Type.Object({ event_id: Type.String(), n: Type.Integer() })

export const heardBy = (database: Database, subscriber: string) =>
  database.forSystem().all(Heard)`select event_id, n from heard where subscriber = ${subscriber} order by place`
