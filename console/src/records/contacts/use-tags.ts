import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** The tags in use, the most used first. */
export function useTags(): { tag: string; contacts: number }[] {
  // Under the contacts' name, so that a new tag appears with the contact that brought it.
  return useRecord(['contacts', 'tags'], (signal) => api.contacts.listTags({ limit: 200 }, { signal })).data?.tags ?? []
}
