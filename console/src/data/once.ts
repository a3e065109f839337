import { ApiError } from '@frontdesk/sdk'

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-')

/**
 * For what must not happen twice: where the answer was lost nobody knows whether it happened, so the same wish is asked
 * again by the same key, also after a reload.
 */
export async function once<T>(what: string, wish: unknown, ask: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const words = JSON.stringify(wish)
  const [askedBefore, keyBefore] = (sessionStorage.getItem(`once ${what}`) ?? '').split('\n')
  const key = askedBefore === words && keyBefore ? keyBefore : newKey()
  try {
    sessionStorage.setItem(`once ${what}`, `${words}\n${key}`)
  } catch {
    // More than the tab keeps: then it is known by its key only as long as it is asked.
  }
  try {
    const answer = await ask(key)
    sessionStorage.removeItem(`once ${what}`)
    return answer
  } catch (error) {
    // The service remembers what it answered to a key: what it refused has to be asked anew. 409: the first is still at it.
    if (error instanceof ApiError && error.status < 500 && error.status !== 409)
      sessionStorage.removeItem(`once ${what}`)
    throw error
  }
}
