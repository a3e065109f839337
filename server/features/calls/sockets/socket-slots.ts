/** How many sockets of one kind may be open at once, in all and from one network. */
export interface SocketSlots {
  /** Frees the slot, however often it is called; nothing when none is free. */
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
