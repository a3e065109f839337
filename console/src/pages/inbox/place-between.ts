import type { api as types } from '@frontdesk/sdk'

/** Where notes and assignments stand: before a message, or at the end. Those older than the loaded messages come with these. */
export function placeBetween<T extends { created_at: string }>(
  entries: T[],
  messages: types.Message[],
  hasOlder: boolean,
): { before: Map<string, T[]>; atEnd: T[] } {
  const before = new Map<string, T[]>()
  const atEnd: T[] = []
  for (const entry of entries.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))) {
    const next = messages.find(({ created_at }) => created_at > entry.created_at)
    if (!next) atEnd.push(entry)
    else if (next !== messages[0] || !hasOlder) before.set(next.id, [...(before.get(next.id) ?? []), entry])
  }
  return { before, atEnd }
}
