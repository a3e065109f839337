const placeholder = /\{([\w-]+)\}/g

/** The parameters in an address, and whether some are where none may be: a model never chooses the host. */
export function placeholdersOf(url: string): { inside: string[]; outside: boolean } {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const authority = start < 0 ? url : url.slice(0, start)
  const inside = start < 0 ? [] : [...url.slice(start).matchAll(placeholder)].map((match) => match[1] as string)
  return { inside, outside: /[{}]|%7[bd]/i.test(authority) }
}

/** The address with its parameters filled in, and the remaining parameters. */
export function fillAddress(url: string, given: Record<string, unknown>) {
  const left = { ...given }
  const filled = url.replace(placeholder, (_, name: string) => {
    delete left[name]
    return partOf(given[name])
  })
  return { address: new URL(filled), left }
}

export class UnusableArgument extends Error {}

/** Encoded completely, so that no slash leads elsewhere; two dots would, however they are encoded. */
function partOf(value: unknown): string {
  const text = inText(value)
  if (/^\.{1,2}$/.test(text)) throw new UnusableArgument(`"${text}" cannot be part of the address`)
  return encodeURIComponent(text.toWellFormed())
}

export const inText = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
