import assert from 'node:assert/strict'

/** Calls a running service with this key. An object is sent as JSON, bytes as they are. */
export const callTo =
  (url: string, key: string) =>
  async (method: string, path: string, body?: object | Uint8Array, headers: Record<string, string> = {}) => {
    const isBytes = body instanceof Uint8Array
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && !isBytes && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
    })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
  }

/** The same, for answers that must be a success: returns the body. */
export const bodyFrom = (url: string, key: string) => async (method: string, path: string, given?: object) => {
  const { status, body } = await callTo(url, key)(method, path, given)
  assert.ok(status < 300, `${method} ${path}: ${status}`)
  return body
}
