import type { api as types } from '@frontdesk/sdk'
import { api } from '../../data/api.ts'
import { useRecord } from '../../data/use-records.ts'

/** All collections, by name. */
export function useCollections(): types.Collection[] | undefined {
  const { data } = useRecord(['collections', 'all'], async (signal) => {
    const collections: types.Collection[] = []
    for await (const each of api.knowledge.listCollections({ limit: 100 }, { signal })) collections.push(each)
    return collections.sort((a, b) => a.name.localeCompare(b.name))
  })
  return data
}
