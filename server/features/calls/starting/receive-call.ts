import type { Database, TenantScope } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { hashToken, randomToken } from '../../../platform/secrets.ts'
import type { CarrierUpdate } from '../../../providers/telephony/contract.ts'
import { findSenders } from '../../contacts/senders/find-senders.ts'
import type { Agents } from '../agents.ts'
import type { VoiceAccount } from '../carriers/carriers.ts'
import { countRunning, lockSlots, slotsOf } from '../dispatching/queries.ts'
import { finishCall } from '../ending/finish-call.ts'
import { issueTicket } from '../progress-queries.ts'
import { findCallByCarrierId, insertCall } from '../queries.ts'
import type { EndStatus } from '../statuses.ts'
import type { Admission } from './admission.ts'

export interface ReceiveDependencies {
  database: Database
  agents: Agents
  phones: PhoneNumbers
  callsPerOrganization: number
  admission: Admission
}

/** Time for the carrier to open the media socket after our answer. */
export const ticketSeconds = 60

type Reception = { ticket: string; id: string } | { refused: 'no_agent' | 'all_lines_busy' }

/**
 * Answers an inbound call with the channel's agent, if it has an active one and a slot is free. Idempotent by the
 * carrier's call id.
 */
export async function receiveCall(
  scope: TenantScope,
  voice: VoiceAccount,
  update: CarrierUpdate,
  { database, agents, phones, callsPerOrganization, admission }: ReceiveDependencies,
): Promise<Reception> {
  const { channel, phoneNumberId } = voice
  const ticket = randomToken()
  const given = { hash: hashToken(ticket), carrierCallId: update.callId, seconds: ticketSeconds }
  return database.inTenant(scope, async (tx) => {
    const agent = channel.agentId ? await agents.open(tx, channel.agentId) : undefined
    await lockSlots(tx, scope)
    const known = await findCallByCarrierId(tx, update.callId)
    if (known && known.status !== 'in-progress') return { refused: 'no_agent' }
    if (known) {
      await issueTicket(tx, known.id, given)
      return { ticket, id: known.id }
    }
    const from = phones.normalize(update.from)
    const [contact] = from ? await findSenders(tx, [{ phoneNumber: from, userId: null, name: '' }]) : []
    const isFull = !admission.isOpen || (await countRunning(tx)) >= (await slotsOf(tx, callsPerOrganization))
    const call = await insertCall(tx, {
      id: newId(),
      medium: 'phone',
      direction: 'inbound',
      telephonyStatus: 'ringing',
      callId: update.callId,
      agentId: channel.agentId,
      agentVersion: agent?.version ?? null,
      channelId: channel.id,
      phoneNumberId,
      contactId: contact?.id ?? null,
      fromNumber: from ?? update.from.slice(0, 64),
      toNumber: channel.phoneNumber,
      variables: {},
      metadata: {},
      deadlineSeconds: ticketSeconds,
    })
    const refuse = async (status: EndStatus, refused: 'no_agent' | 'all_lines_busy') => {
      await finishCall(tx, call?.id as string, { status, telephonyStatus: status, endedReason: refused })
      return { refused }
    }
    if (!agent?.isActive) return refuse('failed', 'no_agent')
    if (isFull) return refuse('busy', 'all_lines_busy')
    await issueTicket(tx, call?.id as string, given)
    return { ticket, id: call?.id as string }
  })
}
