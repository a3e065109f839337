import assert from 'node:assert/strict'

/** Calls a running service with this key. */
export const callTo = (url: string, key: string) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  return { status: answer.status, body: (await answer.json()) as any }
}

/** The same, for answers that must be a success: returns the body. */
export const bodyFrom = (url: string, key: string) => async (method: string, path: string, given?: object) => {
  const { status, body } = await callTo(url, key)(method, path, given)
  assert.ok(status < 300, `${method} ${path}: ${status}`)
  return body
}
