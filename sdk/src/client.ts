import { FrontdeskError } from './errors.ts'
import { operations, type Resources } from './generated/operations.ts'
import { createList } from './list.ts'
import type { Operation } from './operation.ts'
import type { ClientOptions, Options, OptionsWithQuery } from './options.ts'
import { createEventStream, type StreamOptions } from './stream.ts'
import { createTransport, type Transport } from './transport.ts'

/** The whole API: `client.contacts.list()`, `client.campaigns.create(…)`, … */
export type Client = Resources

export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const resources = Object.entries(operations).map(([name, methods]) => [
    name,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => [method, methodOf(operation, transport, options)]),
    ),
  ])
  return Object.fromEntries(resources)
}

/** The arguments of every method: path ids, then a body or a query if it has one, then options. */
function methodOf(operation: Operation, transport: Transport, client: ClientOptions) {
  const parameters = operation.path.match(/\{\w+\}/g) ?? []
  const hasBody = operation.json || operation.form
  return (...given: unknown[]) => {
    const ids = given.slice(0, parameters.length)
    const rest = given.slice(parameters.length)
    const input = hasBody || operation.query ? rest.shift() : undefined
    const options = (rest[0] ?? {}) as Options & Partial<OptionsWithQuery<object>>
    const body = hasBody ? input : undefined
    const query = (hasBody ? options.query : input) as Record<string, unknown> | undefined
    const path = pathOf(operation.path, ids)
    const send = <Answer>(asked: object | undefined, read: (response: Response) => Promise<Answer>) =>
      transport.send({ operation, path, query: asked, body, options, read })

    if (operation.answer === 'events')
      return createEventStream(
        (headers, signal) =>
          transport.send({
            operation,
            path,
            query,
            options: { ...options, signal, headers: { ...options.headers, ...headers }, maxRetries: 0 },
            read: async (response) => response,
          }),
        options as StreamOptions,
        client.retryDelayMs,
      )
    if (operation.list) return createList(operation.list, query ?? {}, (asked) => send(asked, (it) => it.json()))
    return send(query, async (response) => (operation.answer === 'file' ? response : response.json()))
  }
}

function pathOf(template: string, ids: unknown[]): string {
  let i = 0
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    const id = ids[i++]
    // These would change the path of the request.
    if (typeof id !== 'string' || id === '' || id === '.' || id === '..')
      throw new FrontdeskError(`${name} must be an id, not ${JSON.stringify(id)}`)
    return encodeURIComponent(id)
  })
}
