import { type CallAs, ok, type Reply } from './app.ts'

/** The newest hundred events, those about this record, oldest first. */
export const eventsOf = async (call: CallAs, id: string, type?: string): Promise<Reply['body'][]> =>
  ok(await call('GET', `events?limit=100${type ? `&type=${type}` : ''}`))
    .data.filter(({ data }: Reply['body']) => data.object.id === id)
    .reverse()

export const eventTypesOf = async (call: CallAs, id: string): Promise<string[]> =>
  (await eventsOf(call, id)).map(({ type }) => type)
