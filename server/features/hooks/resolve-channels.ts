import type { SystemSql } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { ChatHookSettings } from '../channels/hooks/chat-hook.ts'
import {
  type AddressedChannel,
  type ChannelAddress,
  findAddressedChannels,
} from '../channels/hooks/find-addressed-channels.ts'
import type { Change } from './payloads/read-payload.ts'
import type { ClaimedHook } from './queries.ts'

interface Resolving {
  system: SystemSql
  log: Log
  secrets: SecretBox
  hooks: ChatHookSettings
}

/** The channel of each change, in the given order: one that is bound to its hook, or none. */
export async function resolveChannels(
  { system, secrets, hooks, log }: Resolving,
  changes: { hook: ClaimedHook; change: Change }[],
): Promise<(AddressedChannel | undefined)[]> {
  // Most changes of a batch concern the same few numbers.
  const addresses = new Map<string, ChannelAddress>()
  const keys = changes.map(({ hook, change: { phoneNumberId, businessAccountId } }) => {
    const key = JSON.stringify([hookKey(hook), phoneNumberId, businessAccountId])
    if (!addresses.has(key)) addresses.set(key, { owner: ownerOf(hook), phoneNumberId, businessAccountId })
    return key
  })
  const found = await findAddressedChannels(system, [...addresses.values()], { secrets, hooks })
  const channels = new Map([...addresses.keys()].map((key, i) => [key, found[i]]))
  for (const [key, address] of addresses) report(log, address, channels.get(key))
  return keys.map((key) => channels.get(key))
}

const hookKey = ({ hook_organization_id, hook_livemode, hook_app_hash }: ClaimedHook) =>
  hook_organization_id && `${hook_organization_id} ${hook_livemode} ${hook_app_hash?.toString('hex')}`

function ownerOf({ hook_organization_id, hook_livemode, hook_app_hash }: ClaimedHook): ChannelAddress['owner'] {
  if (hook_organization_id === null || hook_livemode === null || hook_app_hash === null) return null
  return { organizationId: hook_organization_id, livemode: hook_livemode, appHash: hook_app_hash }
}

/** Numbers that several organizations claim: each process logs it once. */
const disputed = new Set<string>()

function report(log: Log, { phoneNumberId, businessAccountId }: ChannelAddress, channel: AddressedChannel | undefined) {
  const address = phoneNumberId ?? businessAccountId ?? ''
  if (!channel) log.info({ address }, 'inbound webhook: about a number or account that no channel of its app has')
  else if (channel.isDisputed && !disputed.has(address)) {
    disputed.add(address)
    log.warn(
      { address, channel: channel.channelId },
      'inbound webhook: several organizations claim this number, delivering to the first',
    )
  }
}
