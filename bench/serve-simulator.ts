import { createLog } from '../server/platform/log.ts'
import { createSimulator } from '../server/simulator/create-simulator.ts'
import { createMemoryStore } from '../server/simulator/store.ts'

/** The simulated platform in a process of its own, the same for Frontdesk and the floor. */
const simulator = createSimulator({
  store: createMemoryStore(),
  speed: Number(process.env.SIMULATOR_SPEED ?? 0),
  log: createLog('error'),
  ledgerSize: Number(process.env.BENCH_LEDGER ?? 2_000_000),
})
console.log(`listening ${await simulator.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0) })}`)
process.once('SIGTERM', () => process.exit())
