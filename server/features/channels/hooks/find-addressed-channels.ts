import type { SystemSql } from '../../../platform/database.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { type AddressedRow, findChannelsOfApps, findChannelsOfInstallation } from '../queries.ts'
import { type ChatHookSettings, hashOfApp } from './chat-hook.ts'

/** The address in a webhook: a number or a whole business account, and the app that signed it. */
export interface ChannelAddress {
  /** Null for the installation's app. */
  owner: { organizationId: string; livemode: boolean; appHash: Buffer } | null
  phoneNumberId: string | null
  businessAccountId: string | null
}

export interface AddressedChannel {
  organizationId: string
  livemode: boolean
  channelId: string
  /** Whether several organizations claim the address; the first one gets the webhook. */
  isDisputed: boolean
  isSuspended: boolean
}

/** Returns, for each address in order, the channel that is bound to the signing app, or undefined. */
export async function findAddressedChannels(
  sql: SystemSql,
  addresses: ChannelAddress[],
  { secrets, hooks }: { secrets: SecretBox; hooks: ChatHookSettings },
): Promise<(AddressedChannel | undefined)[]> {
  const found: (AddressedChannel | undefined)[] = addresses.map(() => undefined)
  const put = (rows: AddressedRow[]) => {
    for (const { position, organization_id, livemode, id, claims, is_suspended } of rows)
      found[position] = {
        organizationId: organization_id,
        livemode,
        channelId: id,
        isDisputed: claims > 1,
        isSuspended: is_suspended,
      }
  }
  const placed = addresses.map((address, position) => ({ ...address, position }))
  const ofApps = placed.flatMap(({ owner, ...address }) => (owner ? [{ ...address, ...owner }] : []))
  const ofInstallation = placed.filter(({ owner }) => owner === null)
  if (ofApps.length > 0) put(await findChannelsOfApps(sql, ofApps))
  if (ofInstallation.length > 0 && hooks.installationApp)
    put(await findChannelsOfInstallation(sql, ofInstallation, hashOfApp(secrets, hooks.installationApp.appSecret)))
  return found
}
