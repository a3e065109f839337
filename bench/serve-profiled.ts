import { Session } from 'node:inspector/promises'

/** Frontdesk as it is, with a CPU profile between the messages `start` and `stop`. */
const samplingMicroseconds = 200
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds })
process.on('message', async (message) => {
  if (message === 'start') {
    await session.post('Profiler.start')
    process.send?.('started')
  } else {
    const { profile } = await session.post('Profiler.stop')
    process.send?.(profile)
  }
})
await import('./serve-frontdesk.ts')
