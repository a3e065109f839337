import type { TenantSql } from '../../platform/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import type { SimulatedConnections } from '../channels/connections/chat-connections.ts'
import { listChannelIds } from '../channels/list-channel-ids.ts'
import type { SimulatedMessage } from './schema.ts'
import { type SimulatedPlatform, simulatorFailed } from './simulator-controls.ts'

/** Sends a message as a customer: it goes to the simulated platform and arrives by webhook like any other. */
export async function receiveSimulatedMessage(
  sql: TenantSql,
  input: SimulatedMessage,
  {
    chatConnections,
    phones,
    simulator,
  }: { chatConnections: SimulatedConnections; phones: PhoneNumbers; simulator: SimulatedPlatform },
): Promise<string> {
  const { from, user_id, username, name, type = 'text', text, message = {}, referral, media } = input
  const { chat_message_id: id } = input
  if (!from && !user_id) throw invalid(['body', 'from'], 'Field required', 'missing')
  const number = from ? await phones.require(sql, from, ['body', 'from']) : undefined
  const channelId = input.channel_id ?? (await listChannelIds(sql))[0]
  if (!channelId) throw notFound('Channel')
  try {
    const { owner, phoneNumberId } = await chatConnections.introduce(sql, channelId)
    return await simulator.receive({
      phone_number_id: phoneNumberId,
      owner,
      ...(number && { from: number }),
      ...(user_id && { user_id }),
      ...(username && { username }),
      ...(name && { name }),
      ...(media && { media }),
      ...(id && { id }),
      ...(type === 'interactive' && text && { tap: text }),
      message: { ...said(type, text, message), ...(referral && { referral }), ...message, type },
    })
  } catch (error) {
    throw simulatorFailed(error)
  }
}

/** The member that holds the text: `text`, or the caption of a file. */
function said(type: string, text: string | undefined, message: Record<string, unknown>): Record<string, unknown> {
  if (text === undefined) return {}
  if (type === 'text') return { text: { body: text } }
  if (type === 'image' || type === 'video' || type === 'document') return { [type]: { caption: text } }
  if (type === 'edit') return { edit: { message: { type: 'text', text: { body: text } } } }
  if (type === 'button') return { button: { payload: text, text } }
  if (type === 'reaction') return { reaction: { message_id: (message.context as { id?: string })?.id, emoji: text } }
  return {}
}
