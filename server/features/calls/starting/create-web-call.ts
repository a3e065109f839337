import { randomBytes } from 'node:crypto'
import type { TenantTx } from '../../../platform/database.ts'
import { conflict } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import type { Agents } from '../agents.ts'
import { type Addresses, toSocketUrl, webCallPath } from '../carriers/addresses.ts'
import { countRunning, lockSlots, slotsOf } from '../dispatching/queries.ts'
import { insertCall } from '../queries.ts'
import type { Call, NewWebCall } from '../schema.ts'
import type { Admission } from './admission.ts'
import { requireAgent } from './create-call.ts'

const joinWithinSeconds = 60

export interface CreateWebCallDependencies {
  agents: Agents
  addresses: Addresses
  callsPerOrganization: number
  admission: Admission
}

/** Creates a call that a browser must join within a minute with a single-use token. It occupies a slot immediately. */
export async function createWebCall(
  tx: TenantTx,
  input: NewWebCall,
  { agents, addresses, callsPerOrganization, admission }: CreateWebCallDependencies,
) {
  if (!admission.isOpen) throw conflict('This node is stopping and takes no new calls: try again in a moment')
  const agent = await requireAgent(tx, input.agent_id, agents)
  await lockSlots(tx, tx.scope)
  const slots = await slotsOf(tx, callsPerOrganization)
  if (slots === 0)
    throw conflict('The limit of concurrent calls is 0 for this organization: ask the operator of this service')
  if ((await countRunning(tx)) >= slots)
    throw conflict(`The limit of ${slots} concurrent calls is reached: end one, or try again in a moment`)
  const id = newId()
  const token = randomToken()
  const call = (await insertCall(tx, {
    id,
    medium: 'web',
    direction: 'inbound',
    telephonyStatus: 'queued',
    callId: `WC${randomBytes(16).toString('hex')}`,
    agentId: agent.id,
    agentVersion: agent.version,
    channelId: null,
    phoneNumberId: null,
    contactId: null,
    fromNumber: '',
    toNumber: '',
    variables: input.variables ?? {},
    metadata: input.metadata ?? {},
    deadlineSeconds: joinWithinSeconds,
    ticketHash: hashToken(token),
  })) as Call
  return {
    id,
    call_id: call.call_id,
    access_token: token,
    ws_url: toSocketUrl(addresses.publicUrl ?? addresses.own()) + webCallPath(id),
    expires_at: new Date(Date.parse(call.created_at) + joinWithinSeconds * 1000).toISOString(),
  }
}
