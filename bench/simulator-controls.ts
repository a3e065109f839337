/** Calls the controls of a simulator; its answer has to be 200. */
export function simulatorControls(url: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}/simulator/${path}`, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    // biome-ignore lint/suspicious/noExplicitAny: the simulator's answers are known
    return (await answer.json()) as any
  }
}
