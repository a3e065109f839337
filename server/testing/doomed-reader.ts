import type { ClientConfig } from 'pg'
import { pino } from 'pino'
import { createDatabase } from '../platform/create-database.ts'
import { startSubscriptions } from '../platform/event-subscriptions.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createSignals } from '../platform/signals.ts'
import { storingSubscription } from './received-events.ts'

/**
 * A node that is killed while it handles events: `node doomed-reader.ts <connection> <subscription> <type> <n>` reads
 * the events up to number n and is killed while it handles that one.
 */
const [connection = '', name = '', type = '', deadly = ''] = process.argv.slice(2)
const client: ClientConfig = JSON.parse(connection)
const database = createDatabase({ connection: client, tenantConnection: client, poolSize: 2 })
const signals = createSignals(client, () => {})
const listener = storingSubscription(name, [type])
const log = pino({ level: 'silent' })
const { ready } = startSubscriptions({ database, signals, log, metrics: createMetrics() }, [
  {
    ...listener,
    async react(events, tx) {
      await listener.react(events, tx)
      if (events.some(({ data }) => (data.object as { n: number }).n >= Number(deadly)))
        process.kill(process.pid, 'SIGKILL')
    },
  },
])
await ready
process.stdout.write('ready\n')
