/** Limits open sockets of one kind, in total and per network. */
interface SocketSlots {
  /** Returns a function that frees the slot and may be called repeatedly; undefined if no slot is free. */
  take(network: string): (() => void) | undefined
}

export function createSocketSlots({ total, perNetwork }: { total: number; perNetwork: number }): SocketSlots {
  const taken = new Map<string, number>()
  let all = 0
  return {
    take(network) {
      const here = taken.get(network) ?? 0
      if (all >= total || here >= perNetwork) return undefined
      all++
      taken.set(network, here + 1)
      let isFree = false
      return () => {
        if (isFree) return
        isFree = true
        all--
        const left = (taken.get(network) ?? 1) - 1
        if (left === 0) taken.delete(network)
        else taken.set(network, left)
      }
    },
  }
}
