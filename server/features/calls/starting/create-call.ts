import type { TenantTx } from '../../../platform/database.ts'
import { conflict, found, InvalidInput, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import type { OpenAgent } from '../../agents/answering/turn.ts'
import { findDefaultVoiceChannel } from '../../channels/find-voice-channel.ts'
import { findContactBrief } from '../../contacts/find-contact-brief.ts'
import { findSenders } from '../../contacts/senders/find-senders.ts'
import type { Agents } from '../agents.ts'
import type { Carriers } from '../carriers/carriers.ts'
import { insertCall } from '../queries.ts'
import type { Call, NewCall } from '../schema.ts'
import { callsChannel } from '../signals.ts'

export interface CreateCallDependencies {
  agents: Agents
  carriers: Carriers
  phones: PhoneNumbers
}

/** A call that is still queued after an hour is failed by the reaper. */
const longestQueueSeconds = 3600

/** Queues the call. A worker dials it, once, as soon as the organization has a free slot. */
export async function createCall(tx: TenantTx, input: NewCall, deps: CreateCallDependencies): Promise<Call> {
  const agent = await requireAgent(tx, input.agent_id, deps.agents)
  const { contactId, toNumber } = await findRecipient(tx, input, deps.phones)
  const channelId = input.chat_phone_number_id ?? (await findDefaultVoiceChannel(tx))
  if (channelId === undefined) throw conflict('There is no channel to call from: create one with POST /channels')
  const { channel, phoneNumberId } = await deps.carriers.findVoiceAccount(tx, channelId)
  const call = await insertCall(tx, {
    id: newId(),
    medium: 'phone',
    direction: 'outbound',
    telephonyStatus: 'queued',
    callId: '',
    agentId: agent.id,
    agentVersion: agent.version,
    channelId: channel.id,
    phoneNumberId,
    contactId,
    fromNumber: channel.phoneNumber,
    toNumber,
    variables: input.variables ?? {},
    metadata: input.metadata ?? {},
    deadlineSeconds: longestQueueSeconds,
  })
  tx.signal(callsChannel)
  return call as Call
}

export async function requireAgent(tx: TenantTx, id: string, agents: Agents): Promise<OpenAgent> {
  const agent = found(await agents.open(tx, id), 'Agent')
  if (!agent.isActive) throw conflict('This agent is inactive: set `is_active` to `active` first')
  return agent
}

async function findRecipient(tx: TenantTx, { to_number, contact_id }: NewCall, phones: PhoneNumbers) {
  if (to_number !== undefined && contact_id !== undefined)
    throw invalid(['body', 'contact_id'], 'Send either to_number or contact_id')
  if (contact_id !== undefined) {
    const contact = found(await findContactBrief(tx, contact_id), 'Contact')
    if (contact.phone_number === '') throw invalid(['body', 'contact_id'], 'This contact has no phone number')
    return { contactId: contact_id, toNumber: contact.phone_number }
  }
  if (to_number === undefined)
    throw new InvalidInput([{ loc: ['body', 'to_number'], msg: 'Give to_number or contact_id', type: 'missing' }])
  const toNumber = await phones.require(tx, to_number, ['body', 'to_number'])
  const [contact] = await findSenders(tx, [{ phoneNumber: toNumber, userId: null, name: '' }])
  return { contactId: contact?.id ?? null, toNumber }
}
