import type { TenantSql } from '../../platform/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { SimulatedConnections } from '../channels/connections/chat-connections.ts'
import { listChannelIds } from '../channels/list-channel-ids.ts'
import type { SimulatedAppEvent } from './schema.ts'
import { type SimulatedPlatform, simulatorFailed } from './simulator-controls.ts'

/** Acts as the WhatsApp Business app on the channel's number: the simulated platform posts the webhook. */
export async function tellOfBusinessApp(
  sql: TenantSql,
  { channel_id, field, value }: SimulatedAppEvent,
  { chatConnections, simulator }: { chatConnections: SimulatedConnections; simulator: SimulatedPlatform },
): Promise<void> {
  const channelId = channel_id ?? (await listChannelIds(sql))[0]
  if (!channelId) throw notFound('Channel')
  try {
    const { owner, phoneNumberId } = await chatConnections.introduce(sql, channelId)
    await simulator.tellOfApp({ phone_number_id: phoneNumberId, owner, field, value })
  } catch (error) {
    throw simulatorFailed(error)
  }
}
