import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** Tags of conversations in use, most used first. Keyed under tickets, so that an event about a ticket refreshes them. */
export const useTicketTags = (): string[] =>
  useRecord(['tickets', 'tags'], (signal) => api.inbox.listTicketTags({ limit: 200 }, { signal })).data?.tags.map(
    ({ tag }) => tag,
  ) ?? []
