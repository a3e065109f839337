import { ApiError } from '@frontdesk/sdk'

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-')

/**
 * Runs a request at most once. If its response was lost, the same request is retried with the same idempotency key,
 * also after a reload.
 */
export async function once<T>(what: string, request: unknown, ask: (idempotencyKey: string) => Promise<T>): Promise<T> {
  const serialized = JSON.stringify(request)
  const [askedBefore, keyBefore] = (sessionStorage.getItem(`once ${what}`) ?? '').split('\n')
  const key = askedBefore === serialized && keyBefore ? keyBefore : newKey()
  try {
    sessionStorage.setItem(`once ${what}`, `${serialized}\n${key}`)
  } catch {
    // Storage is full: the key then lives only as long as this request.
  }
  try {
    const answer = await ask(key)
    sessionStorage.removeItem(`once ${what}`)
    return answer
  } catch (error) {
    // The service replays its response for a key, so a refused request needs a new one. 409: the first attempt still
    // runs.
    if (error instanceof ApiError && error.status < 500 && error.status !== 409)
      sessionStorage.removeItem(`once ${what}`)
    throw error
  }
}
