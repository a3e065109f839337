import type { Person } from '../../../platform/personal-data.ts'

/**
 * Patterns for `like` that find the person in a text: records of JSON that are about them, and their addresses as
 * platforms write them, without a plus. A list of ids, as of a campaign's audience, says nothing about a person.
 */
export const mentionsOf = ({ id, addresses }: Person): string[] => [
  ...['id', 'contact_id'].flatMap((name) => [`%"${name}":"${id}"%`, `%"${name}": "${id}"%`]),
  ...addresses
    .map((address) => address.replace(/^\+/, ''))
    .filter((address) => address.length >= 6)
    .map((address) => `%${address.replace(/[\\%_]/g, '\\$&')}%`),
]
