/** The numbers of a test platform: every number exists unless the test says otherwise. */
export interface PlatformNumbers {
  /** The account of each number that was connected or that the test set; others belong to any account. */
  accounts: Map<string, string>
  /** Numbers that have been read, with any token. */
  read: string[]
  /** Fields of every number's health; without them the platform does not show it. */
  health?: object
}

export const createPlatformNumbers = (): PlatformNumbers => ({ accounts: new Map(), read: [] })

/**
 * The response to `GET /{number}?fields=…display_phone_number…` and to `GET /{account}/phone_numbers`; undefined for
 * other requests.
 */
export function answerAboutNumber(numbers: PlatformNumbers, method: string | undefined, url: URL): object | undefined {
  if (method !== 'GET') return undefined
  const [, , id = '', edge] = url.pathname.split('/')
  if (edge === 'phone_numbers')
    return {
      data: numbers.read
        .filter((number) => (numbers.accounts.get(number) ?? id) === id)
        .map((number) => ({ id: number })),
    }
  if (edge === undefined && numbers.health && url.searchParams.get('fields')?.includes('quality_rating'))
    return { id, ...numbers.health }
  if (edge !== undefined || !url.searchParams.get('fields')?.includes('display_phone_number')) return undefined
  if (!numbers.read.includes(id)) numbers.read.push(id)
  return { id, display_phone_number: '+1 415-555-0100', verified_name: 'Acme' }
}
