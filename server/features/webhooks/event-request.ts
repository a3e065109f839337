/** An event row, with `data` as PostgreSQL's JSON text. */
interface EventText {
  organization_id: string
  livemode: boolean
  id: string
  type: string
  created_at: string
  data: string
}

/** The event with the `timestamp` that Standard Webhooks requires. The same event always gives the same bytes. */
export const requestBody = ({ organization_id, livemode, id, type, created_at, data }: EventText): string =>
  `{"id":"${id}","type":"${type}","timestamp":"${created_at}","created_at":"${created_at}",` +
  `"organization_id":"${organization_id}","livemode":${livemode},"data":${data}}`

/** The time of an attempt, as it is sent and signed. */
export const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000)

export const requestHeaders = (id: string, at: Date) => ({
  'content-type': 'application/json',
  'user-agent': 'Frontdesk-Webhooks/1',
  'webhook-id': id,
  'webhook-timestamp': String(secondsOf(at)),
})
