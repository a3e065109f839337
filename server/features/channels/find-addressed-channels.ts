import type { SystemSql } from '../../platform/database.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { type ChatHookSettings, hashOfApp } from './chat-hook.ts'
import { type AddressedRow, findChannelsOfApps, findChannelsOfInstallation } from './queries.ts'

/** What a webhook names: one number, or a whole business account, and the app that signed it. */
export interface ChannelAddress {
  /** Null for the app of the whole installation. */
  owner: { organizationId: string; livemode: boolean; appHash: Buffer } | null
  phoneNumberId: string | null
  businessAccountId: string | null
}

export interface AddressedChannel {
  organizationId: string
  livemode: boolean
  channelId: string
  /** Whether several organizations claim it; the first to do so has it. */
  isDisputed: boolean
}

/** The channel behind each address, in the order given: one that is bound to the app which signed, or none. */
export async function findAddressedChannels(
  sql: SystemSql,
  addresses: ChannelAddress[],
  { secrets, hooks }: { secrets: SecretBox; hooks: ChatHookSettings },
): Promise<(AddressedChannel | undefined)[]> {
  const found: (AddressedChannel | undefined)[] = addresses.map(() => undefined)
  const put = (rows: AddressedRow[]) => {
    for (const { place, organization_id, livemode, id, claims } of rows)
      found[place] = { organizationId: organization_id, livemode, channelId: id, isDisputed: claims > 1 }
  }
  const placed = addresses.map((address, place) => ({ ...address, place }))
  const ofApps = placed.flatMap(({ owner, ...address }) => (owner ? [{ ...address, ...owner }] : []))
  const ofInstallation = placed.filter(({ owner }) => owner === null)
  if (ofApps.length > 0) put(await findChannelsOfApps(sql, ofApps))
  if (ofInstallation.length > 0 && hooks.installationApp)
    put(await findChannelsOfInstallation(sql, ofInstallation, hashOfApp(secrets, hooks.installationApp.appSecret)))
  return found
}
