import Type from 'typebox'
import type { Database } from '../platform/database.ts'
import type { Subscription } from '../platform/events.ts'
import type { TestApp } from './app.ts'
import { connectOwner } from './connect-owner.ts'

/** A subscription that stores the events it receives, in order, in the transaction that it is given. */
export const storingSubscription = (name: string, types: string[]): Subscription => ({
  name,
  types,
  async react(events, tx) {
    const ids = events.map(({ id }) => id)
    const numbers = events.map(({ data }) => (data.object as { n?: number }).n ?? 0)
    await tx.run`
      insert into received_events (subscriber, event_id, n)
      select ${name}, id, n from unnest(${ids}::uuid[], ${numbers}::integer[]) with ordinality e (id, n, position)
      order by position`
  },
})

/** Creates the table that `storingSubscription` writes to. */
export async function createReceivedEvents(app: Pick<TestApp, 'connection'>): Promise<void> {
  const client = await connectOwner(app)
  await client.query(`
    create table received_events (position bigserial, subscriber text not null, event_id uuid not null, n integer not null);
    grant select, insert on received_events to frontdesk_system;
    grant usage on sequence received_events_position_seq to frontdesk_system`)
}

const ReceivedEvent = Type.Object({ event_id: Type.String(), n: Type.Integer() })

export const receivedBy = (database: Database, subscriber: string) =>
  database
    .forSystem()
    .all(ReceivedEvent)`select event_id, n from received_events where subscriber = ${subscriber} order by position`
