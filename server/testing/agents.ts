import { ok, type Reply, type TestOrganization } from './app.ts'

export const newAgent = async (
  org: TestOrganization,
  agent_config: object = {},
  members: object = {},
): Promise<string> => ok(await org.call('POST', 'agents', { name: 'Desk', agent_config, ...members }), 201).id

/** Says something to an agent in its chat. */
export const say = async (
  org: TestOrganization,
  id: string,
  message: string,
  session_id?: string,
): Promise<Reply['body']> =>
  ok(await org.call('POST', `agents/${id}/chat`, { message, ...(session_id && { session_id }) }))
