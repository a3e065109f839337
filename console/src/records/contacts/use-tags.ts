import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** Tags in use, most used first. */
export function useTags(): { tag: string; contacts: number }[] {
  // Keyed under contacts, so that an event about a contact refreshes its tags too.
  return useRecord(['contacts', 'tags'], (signal) => api.contacts.listTags({ limit: 200 }, { signal })).data?.tags ?? []
}
