import { createHash } from 'node:crypto'
import type { TenantScope, TenantSql } from '../../platform/database.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { Carrier, CarrierAccount, CarrierHooks } from '../../providers/telephony/contract.ts'
import { findVoiceChannel, type VoiceChannel } from '../channels/find-voice-channel.ts'

/** A channel with its way to the carrier: the real one in live mode, the simulated one in test mode. */
export interface VoiceAccount {
  channel: VoiceChannel
  account: CarrierAccount
  /** The number's id at the carrier. */
  phoneNumberId: string | null
}

export interface CarrierConnector {
  connect(account: CarrierAccount): Carrier
}

/** What test mode needs of the simulator. */
export interface SimulatedCarrier {
  url(): Promise<string>
  /** Where it can call us back; nothing while no process listens. */
  callbackBase(): Promise<string | undefined>
}

export interface CarrierDependencies {
  secrets: SecretBox
  hooks: CarrierHooks
  live: CarrierConnector
  connectorTo(baseUrl: string): CarrierConnector
  simulator: SimulatedCarrier
  /** How the carrier reaches us; live calls need it. */
  publicUrl: string | undefined
}

/** A way to place calls and to be called back. `carrierUrl` names the simulated carrier that has the call. */
export interface OpenCarrier {
  carrier: Carrier
  callbackBase: string
  carrierUrl: string | null
}

export interface Carriers {
  readonly hooks: CarrierHooks
  /** Reads the channel and calls nobody. Throws 404, and in live mode 409 when something has to be configured first. */
  findVoiceAccount(sql: TenantSql, channelId: string): Promise<VoiceAccount>
  /** For dialing. */
  open(scope: TenantScope, voice: VoiceAccount): Promise<OpenCarrier>
  /** For a call that was dialed: the carrier that has it. */
  of(scope: TenantScope, voice: VoiceAccount, carrierUrl: string | null): Promise<Carrier>
}

/** Thrown when there is nobody yet whom the simulated carrier could call back: a moment later there is. */
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
      const channel = await findVoiceChannel(sql, channelId, { secrets })
      if (!channel) throw notFound('Channel')
      const phoneNumberId = channel.account?.phoneNumberId ?? null
      // Whatever a test channel holds, it is never used to reach anybody but the simulator.
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
    async of({ livemode }, { account }, carrierUrl) {
      if (livemode) return live.connect(account)
      return connectorAt(carrierUrl ?? (await simulator.url())).connect(account)
    },
  }
}

/** Nobody has to keep what can be made again. */
export function simulatedAccount(secrets: SecretBox, organizationId: string): CarrierAccount {
  const digest = createHash('md5').update(organizationId).digest('hex')
  return {
    accountSid: `AC${digest}`,
    authToken: secrets.digest(organizationId, 'simulated carrier token').toString('hex').slice(0, 32),
  }
}
