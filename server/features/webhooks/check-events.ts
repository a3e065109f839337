import { invalid } from '../../platform/errors.ts'

/** Each named once, and each a type that there is: with a slip in it an endpoint would wait for ever. */
export function checkEvents(wanted: string[], types: string[]): string[] {
  const heard = (name: string) =>
    name === '*' || types.some((type) => (name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name))
  const unknown = wanted.findIndex((name) => !heard(name))
  if (unknown >= 0)
    throw invalid(['body', 'events', String(unknown)], `There are no events called ${wanted[unknown]}`, 'unknown_event')
  return [...new Set(wanted)]
}
