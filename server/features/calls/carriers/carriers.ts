import { createHash } from 'node:crypto'
import type { TenantScope, TenantSql } from '../../../platform/database.ts'
import { conflict, found } from '../../../platform/errors.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import type { Carrier, CarrierAccount, CarrierHooks } from '../../../providers/telephony/contract.ts'
import { findVoiceChannel, type VoiceChannel } from '../../channels/find-voice-channel.ts'

/** A voice channel with its carrier account: the real account in live mode, the simulated one in test mode. */
export interface VoiceAccount {
  channel: VoiceChannel
  account: CarrierAccount
  /** The carrier's id of the phone number. */
  phoneNumberId: string | null
}

interface CarrierConnector {
  connect(account: CarrierAccount): Carrier
}

/** What test mode needs from the simulator. */
interface SimulatedCarrier {
  url(): Promise<string>
  /** Address for the simulated carrier's callbacks; undefined while no API node is listening. */
  callbackBase(): Promise<string | undefined>
}

interface CarrierDependencies {
  secrets: SecretBox
  hooks: CarrierHooks
  live: CarrierConnector
  connectorTo(baseUrl: string): CarrierConnector
  simulator: SimulatedCarrier
  /** Base of the addresses that the carrier calls back. Required for live calls. */
  publicUrl: string | undefined
}

/** A connection for placing calls. `carrierUrl` names the simulated carrier that holds the call; null in live mode. */
export interface OpenCarrier {
  carrier: Carrier
  callbackBase: string
  carrierUrl: string | null
}

export interface Carriers {
  readonly hooks: CarrierHooks
  /** Reads the channel without contacting the carrier. Throws 404, or in live mode 409 if a setting is missing. */
  findVoiceAccount(sql: TenantSql, channelId: string): Promise<VoiceAccount>
  /** Connects to the carrier to place a call. */
  open(scope: TenantScope, voice: VoiceAccount): Promise<OpenCarrier>
  /** Base of the addresses that the carrier calls back; undefined while none is known. */
  callbackBase(scope: TenantScope): Promise<string | undefined>
  /** Connects to the carrier that holds an existing call. */
  of(scope: TenantScope, voice: VoiceAccount, carrierUrl: string | null): Promise<Carrier>
}

/** No API node is listening yet for the simulated carrier's callbacks. Temporary: the call is dialed again later. */
export class NoCallbackAddress extends Error {}

export function createCarriers(deps: CarrierDependencies): Carriers {
  const { secrets, live, publicUrl, simulator } = deps
  const connectors = new Map<string, CarrierConnector>()
  const connectorAt = (url: string) => {
    const known = connectors.get(url) ?? deps.connectorTo(url)
    connectors.set(url, known)
    return known
  }
  return {
    hooks: deps.hooks,
    async findVoiceAccount(sql, channelId) {
      const channel = found(await findVoiceChannel(sql, channelId, { secrets }), 'Channel')
      const phoneNumberId = channel.account?.phoneNumberId ?? null
      // Test mode always uses the simulator, whatever credentials the channel holds.
      if (!sql.scope.livemode)
        return { channel, account: simulatedAccount(secrets, sql.scope.organizationId), phoneNumberId }
      if (!channel.account)
        throw conflict(
          'This channel has no carrier yet: give it `voice` (provider, account_sid, auth_token, phone_number_id) with PATCH /channels/{channel_id}',
        )
      if (!publicUrl)
        throw conflict('Live calls need the setting PUBLIC_URL: the carrier calls this service back at that address')
      return { channel, account: channel.account, phoneNumberId }
    },
    async open({ livemode }, { account }) {
      if (livemode) return { carrier: live.connect(account), callbackBase: publicUrl as string, carrierUrl: null }
      const [carrierUrl, callbackBase] = await Promise.all([simulator.url(), simulator.callbackBase()])
      if (callbackBase === undefined)
        throw new NoCallbackAddress('no API node listens yet that the carrier could call back')
      return { carrier: connectorAt(carrierUrl).connect(account), callbackBase, carrierUrl }
    },
    callbackBase: async ({ livemode }) => (livemode ? publicUrl : simulator.callbackBase()),
    async of({ livemode }, { account }, carrierUrl) {
      if (livemode) return live.connect(account)
      return connectorAt(carrierUrl ?? (await simulator.url())).connect(account)
    },
  }
}

/** Derived from the organization id, so it need not be stored. */
export function simulatedAccount(secrets: SecretBox, organizationId: string): CarrierAccount {
  const digest = createHash('md5').update(organizationId).digest('hex')
  return {
    accountSid: `AC${digest}`,
    authToken: secrets.digest(organizationId, 'simulated carrier token').toString('hex').slice(0, 32),
  }
}
