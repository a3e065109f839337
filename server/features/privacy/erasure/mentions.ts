import type { Person } from '../../../platform/personal-data.ts'

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Regular expressions that find the person in a text: records of JSON that are about them, and their addresses as
 * platforms write them, without a plus. An address inside a longer one is another person's. A list of ids, as of a
 * campaign's audience, says nothing about a person.
 */
export const mentionsOf = ({ id, mergedIds, addresses }: Person): string[] => [
  `"(id|contact_id)": ?"(${[id, ...mergedIds].join('|')})"`,
  ...addresses
    .map((address) => address.replace(/^\+/, ''))
    .filter((address) => address.length >= 6)
    .map((address) => `(^|[^0-9A-Za-z])${escaped(address)}($|[^0-9A-Za-z])`),
]
