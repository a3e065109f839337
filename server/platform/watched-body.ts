export type RequestBody = string | Uint8Array | AsyncIterable<Uint8Array>

/**
 * Remembers the error of a body that is still being produced: it is an error of the body's source, not of the network.
 */
export function watched(body: RequestBody | undefined) {
  const state: { content: RequestBody | null; failed: boolean; error: unknown } = {
    content: body ?? null,
    failed: false,
    error: undefined,
  }
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return state
  state.content = (async function* () {
    try {
      yield* body
    } catch (error) {
      state.failed = true
      state.error = error
      throw error
    }
  })()
  return state
}
