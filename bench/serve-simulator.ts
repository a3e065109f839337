import { createLog } from '../server/platform/log.ts'
import { createOfflineSpeech } from '../server/providers/speech/offline.ts'
import { createSimulator } from '../simulator/create-simulator.ts'
import { createMemoryStore } from '../simulator/store.ts'

/** The simulated platform in a process of its own, the same for Frontdesk and the floor. */
const simulator = createSimulator({
  store: createMemoryStore(),
  speed: Number(process.env.SIMULATOR_SPEED ?? 0),
  log: createLog('error'),
  speech: () => createOfflineSpeech(),
  ledgerSize: Number(process.env.BENCH_LEDGER ?? 2_000_000),
})
console.log(`listening ${await simulator.listen({ host: '127.0.0.1', port: Number(process.env.PORT ?? 0) })}`)
process.once('SIGTERM', () => process.exit())
