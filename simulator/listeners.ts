import type { Log } from '../server/platform/log.ts'
import { isLoopback } from '../server/platform/loopback.ts'
import type { SimulatorStore } from './store.ts'

/** Which processes of this installation receive webhooks, and where: a worker's simulator has to find one of them. */
interface Listeners {
  announce(address: string): Promise<void>
  /** An address to post to, as seen from this machine or from `host`; a different one with every attempt. */
  reachable(attempt: number, host?: string): Promise<string | undefined>
  close(): Promise<void>
}

interface Listener {
  address: string
  machine: string
  publicUrl: string | null
}

/** A process that ended without unregistering is dropped after this long. */
const livesMs = 30 * 60_000
const refreshEveryMs = 10 * 60_000
const knownForMs = 2_000

export function createListeners({
  store,
  machine,
  publicUrl,
  log,
}: {
  store: SimulatorStore
  machine: string
  publicUrl: string | undefined
  log: Log
}): Listeners {
  let own: Listener | undefined
  let refreshing: NodeJS.Timeout | undefined
  let known: { listeners: Listener[]; until: number } | undefined

  const save = async (listener: Listener) => {
    const expiresAt = Date.now() + livesMs
    await store.save({ kind: 'listener', id: `${machine} ${listener.address}`, account: '', data: listener, expiresAt })
  }
  async function others(): Promise<Listener[]> {
    if (!known || known.until < Date.now()) {
      const listeners = (await store.list('listener')).map(({ data }) => data as Listener)
      known = { listeners, until: Date.now() + knownForMs }
    }
    return known.listeners
  }
  /** A loopback address is valid on its own machine only. */
  const seenFrom = ({ address, machine: where, publicUrl: url }: Listener, fromHere: boolean) =>
    (fromHere && where === machine) || !isLoopback(new URL(address).hostname) ? address : url

  return {
    async announce(address) {
      own = { address, machine, publicUrl: publicUrl ?? null }
      await save(own)
      refreshing = setInterval(() => {
        if (own) save(own).catch((error) => log.warn({ err: error }, 'simulator: renewing the listener address failed'))
      }, refreshEveryMs).unref()
    },
    async reachable(attempt, host = 'localhost') {
      const fromHere = isLoopback(host)
      const ownAddress = own && seenFrom(own, fromHere)
      if (ownAddress) return ownAddress
      const addresses = (await others()).map((listener) => seenFrom(listener, fromHere)).filter((each) => each !== null)
      return addresses[attempt % addresses.length]
    },
    async close() {
      clearInterval(refreshing)
      if (own) await store.remove('listener', `${machine} ${own.address}`)
    },
  }
}
