import { ok, type Reply, type TestApp, type TestOrganization } from './app.ts'
import { until } from './process.ts'

/** A static agent: needs no model, answers immediately and deterministically. */
export async function createReceptionist(
  organization: TestOrganization,
  {
    welcome = 'Hello, this is the front desk.',
    ...callSettings
  }: { welcome?: string; [setting: string]: unknown } = {},
): Promise<string> {
  const created = ok(
    await organization.call('POST', 'agents', {
      name: 'Front desk',
      agent_type: 'static',
      agent_config: {
        welcome_message: welcome,
        call_settings: {
          rules: [
            { when: ['opening', 'hours', 'open'], say: 'We are open from nine to five.' },
            { when: ['person', 'human'], say: 'I will ask somebody to call you back.', then: 'handoff' },
            { when: ['goodbye', 'bye'], say: 'Goodbye.', then: 'end' },
          ],
          fallback: 'Sure.',
          ...callSettings,
        },
      },
    }),
    201,
  )
  return created.id
}

export const place = (organization: TestOrganization, body: object, headers: Record<string, string> = {}) =>
  organization.call('POST', 'calls', body, headers)

/** Waits until the call has ended and was analyzed. */
export async function ended(organization: TestOrganization, id: string): Promise<Reply['body']> {
  let call: Reply['body']
  await until(async () => {
    call = (await organization.call('GET', `calls/${id}`)).body
    return call.status !== 'in-progress' && call.analysis !== null
  })
  return call
}

export async function untilCall(
  organization: TestOrganization,
  id: string,
  fits: (call: Reply['body']) => boolean,
): Promise<Reply['body']> {
  let call: Reply['body']
  await until(async () => {
    call = (await organization.call('GET', `calls/${id}`)).body
    return fits(call)
  })
  return call
}

/**
 * Waits until the conversation of the call has begun: a node holds its media stream. An inbound call has an agent version
 * and is `in-progress` before that.
 */
export const begun = (organization: TestOrganization, id: string): Promise<void> =>
  until(async () => {
    const { body } = await organization.call('GET', 'events?type=call.started&limit=100')
    return body.data.some(({ data }: Reply['body']) => data.object.id === id)
  })

/** Calls to this number at the simulated carrier. */
export async function atCarrier(app: TestApp, number: string): Promise<Reply['body'][]> {
  const { body } = await app.control('GET', 'calls')
  return body.data.filter(({ to }: { to: string }) => to === number)
}
