import type { IncomingMessage } from 'node:http'
import type { Database } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { findChannelScope } from '../../channels/find-voice-channel.ts'
import { type Addresses, hookPaths, toSocketUrl } from '../carriers/addresses.ts'
import type { Carriers } from '../carriers/carriers.ts'

/**
 * Classifies a media stream: `signed` by the channel's account, `unsigned` for an existing channel, or `unknown`
 * channel. Carriers need not sign the upgrade request, so an unsigned stream may still present a valid ticket.
 */
export async function identifyStream(
  { headers }: IncomingMessage,
  channelId: string,
  { database, carriers, addresses }: { database: Database; carriers: Carriers; addresses: Addresses },
): Promise<'signed' | 'unsigned' | 'unknown'> {
  const scope = await findChannelScope(database.forSystem(), channelId)
  if (!scope) return 'unknown'
  const signature = headers['x-twilio-signature']
  if (signature === undefined) return 'unsigned'
  const voice = await carriers.findVoiceAccount(database.forTenant(scope), channelId).catch((error) => {
    // The channel has no carrier account, so no signature can be valid.
    if (error instanceof AppError) return undefined
    throw error
  })
  const { authToken } = voice?.account ?? {}
  if (!authToken) return 'unsigned'
  const bases = [addresses.publicUrl, scope.livemode ? undefined : addresses.own()]
  const isSigned = bases.some((base) => {
    const url = base && toSocketUrl(base) + hookPaths.media(channelId)
    return url && carriers.hooks.isSigned({ url, form: new Map(), signature, authToken })
  })
  return isSigned ? 'signed' : 'unsigned'
}
