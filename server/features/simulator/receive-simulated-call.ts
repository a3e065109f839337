import type { TenantSql } from '../../platform/database.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { hookPaths } from '../calls/carriers/addresses.ts'
import type { Carriers } from '../calls/carriers/carriers.ts'
import { findDefaultVoiceChannel } from '../channels/find-voice-channel.ts'
import type { SimulatedCall } from './schema.ts'
import { type SimulatedPlatform, simulatorFailed } from './simulator-controls.ts'

/** Starts an inbound call: the simulated carrier requests the channel's hook like a real one. */
export async function receiveSimulatedCall(
  sql: TenantSql,
  { channel_id, from, script, seed }: SimulatedCall,
  { carriers, phones, simulator }: { carriers: Carriers; phones: PhoneNumbers; simulator: SimulatedPlatform },
): Promise<string> {
  const number = await phones.require(sql, from, ['body', 'from'])
  const channelId = channel_id ?? (await findDefaultVoiceChannel(sql))
  if (channelId === undefined) throw notFound('Channel')
  const { channel, account } = await carriers.findVoiceAccount(sql, channelId)
  try {
    const base = await simulator.callbackBase()
    if (base === undefined) throw new Error('no API node listens yet that the carrier could call')
    return await simulator.call({
      from: number,
      to: channel.phoneNumber,
      url: base + hookPaths.inbound(channelId),
      status_url: base + hookPaths.inboundStatus(channelId),
      account_sid: account.accountSid,
      auth_token: account.authToken,
      ...(script && { script }),
      ...(seed !== undefined && { seed }),
    })
  } catch (error) {
    throw error instanceof AppError ? error : simulatorFailed(error)
  }
}
