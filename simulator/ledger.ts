/** What was accepted, and how often: the proof that nothing was sent twice. */
interface LedgerEntry {
  phone_number_id: string
  to: string
  type: string
  template: string | null
  /** Whether it came through the Marketing Messages API. */
  is_marketing: boolean
  callback_data: string | null
  /** How often this was accepted. Without callback data every acceptance counts by itself. */
  accepted: number
  /** The message ids, the latest last. */
  ids: string[]
  first_at: number
  last_at: number
}

export interface Ledger {
  record(entry: Omit<LedgerEntry, 'accepted' | 'ids' | 'first_at' | 'last_at'>, id: string, now: number): void
  read(filter: LedgerFilter): { accepted: number; distinct: number; repeated: number; entries: LedgerEntry[] }
  clear(): void
}

interface LedgerFilter {
  phone_number_id?: string
  to?: string
  callback_data?: string
  /** Only what was accepted more than once. */
  repeated?: boolean
  offset: number
  limit: number
}

/** Keeps the latest `size` sends. */
export function createLedger(size: number): Ledger {
  const entries = new Map<string, LedgerEntry>()
  return {
    record(sent, id, now) {
      const key = sent.callback_data === null ? id : `${sent.phone_number_id} ${sent.to} ${sent.callback_data}`
      const entry = entries.get(key)
      if (entry) {
        entry.accepted++
        entry.ids.push(id)
        entry.last_at = now
        return
      }
      const { phone_number_id, to, type, template, is_marketing, callback_data } = sent
      const counts = { accepted: 1, ids: [id], first_at: now, last_at: now }
      entries.set(key, { phone_number_id, to, type, template, is_marketing, callback_data, ...counts })
      if (entries.size > size) entries.delete(entries.keys().next().value as string)
    },
    read({ offset, limit, repeated, ...wanted }) {
      const found: LedgerEntry[] = []
      let accepted = 0
      let again = 0
      for (const entry of entries.values()) {
        if (wanted.phone_number_id !== undefined && entry.phone_number_id !== wanted.phone_number_id) continue
        if (wanted.to !== undefined && entry.to !== wanted.to) continue
        if (wanted.callback_data !== undefined && entry.callback_data !== wanted.callback_data) continue
        accepted += entry.accepted
        if (entry.accepted > 1) again++
        if (!repeated || entry.accepted > 1) found.push(entry)
      }
      return { accepted, distinct: found.length, repeated: again, entries: found.slice(offset, offset + limit) }
    },
    clear: () => entries.clear(),
  }
}
