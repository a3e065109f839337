/** The state that must survive a restart and be shared between nodes: accounts, templates, windows, media. */
export interface SimulatorRecord {
  kind: string
  id: string
  /** Its business account. */
  account: string
  data: unknown
  bytes?: Buffer
  /** Text that a persistent store keeps encrypted. */
  secret?: string
  expiresAt?: number
}

export interface SimulatorStore {
  find(kind: string, id: string): Promise<SimulatorRecord | undefined>
  /** In the order of their ids, without their bytes. */
  list(kind: string, account?: string): Promise<SimulatorRecord[]>
  /** False when it exists already. */
  add(record: SimulatorRecord): Promise<boolean>
  save(record: SimulatorRecord): Promise<void>
  remove(kind: string, id: string): Promise<void>
  any(kind: string): Promise<boolean>
  /** Removes and returns records: each goes to one caller only. */
  take(kind: string, limit: number): Promise<SimulatorRecord[]>
  removeExpired(): Promise<void>
  /** Other nodes write here too: a value read earlier may have changed. */
  readonly shared: boolean
}

/** For a simulator without persistence. */
export function createMemoryStore(): SimulatorStore {
  const kinds = new Map<string, Map<string, SimulatorRecord>>()
  const recordsOf = (kind: string) => {
    const records = kinds.get(kind) ?? new Map<string, SimulatorRecord>()
    kinds.set(kind, records)
    return records
  }
  const isAlive = ({ expiresAt = Infinity }: SimulatorRecord) => expiresAt > Date.now()
  const find = (kind: string, id: string) => {
    const record = recordsOf(kind).get(id)
    return record && isAlive(record) ? record : undefined
  }
  const byId = (a: SimulatorRecord, b: SimulatorRecord) => (a.id < b.id ? -1 : 1)
  return {
    shared: false,
    find: async (kind, id) => find(kind, id),
    list: async (kind, account) =>
      [...recordsOf(kind).values()]
        .filter((record) => isAlive(record) && (account === undefined || record.account === account))
        .sort(byId),
    async add(record) {
      if (find(record.kind, record.id)) return false
      recordsOf(record.kind).set(record.id, record)
      return true
    },
    async save(record) {
      recordsOf(record.kind).set(record.id, record)
    },
    async remove(kind, id) {
      recordsOf(kind).delete(id)
    },
    any: async (kind) => recordsOf(kind).size > 0,
    async take(kind, limit) {
      const taken = [...recordsOf(kind).values()].sort(byId).slice(0, limit)
      for (const { id } of taken) recordsOf(kind).delete(id)
      return taken
    },
    async removeExpired() {
      for (const records of kinds.values())
        for (const record of records.values()) if (!isAlive(record)) records.delete(record.id)
    },
  }
}
