/** Calls the API of a service; its answer has to be a success. */
export function caller(url: string, secret: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the API's answers are known
    return (await answer.json()) as any
  }
}
