import { randomBytes } from 'node:crypto'
import { Webhook as Signer } from 'standardwebhooks'
import type { TenantScope } from '../../platform/database.ts'
import { sealedColumn } from '../../platform/reseal.ts'
import type { SecretBox } from '../../platform/secrets.ts'

/** Newest first. Replaced secrets also sign until they expire. */
interface KeptSecret {
  secret: string
  expiresAt: string | null
}

/** Bounds the signatures per request if a client rotates again and again. */
const maxFormer = 4

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Binds the sealed secrets to their record: copied to another webhook they cannot be opened. */
const contextOf = ({ organizationId, livemode }: TenantScope, webhookId: string) =>
  `webhook ${organizationId} ${livemode ? 'live' : 'test'} ${webhookId}`

export const sealedWebhookSecrets = sealedColumn({
  table: 'webhooks',
  column: 'sealed_secrets',
  key: { organization_id: 'uuid', livemode: 'boolean', id: 'uuid' },
  context: ({ organization_id, livemode, id }) => contextOf({ organizationId: organization_id, livemode }, id),
})

export const sealSecrets = (box: SecretBox, scope: TenantScope, webhookId: string, kept: KeptSecret[]): Buffer =>
  box.seal(JSON.stringify(kept), contextOf(scope, webhookId))

export const openSecrets = (box: SecretBox, scope: TenantScope, webhookId: string, sealed: Buffer): KeptSecret[] =>
  JSON.parse(box.open(sealed, contextOf(scope, webhookId)))

/** Puts the new secret first. Old ones expire at the end of the overlap, or earlier if they already did. */
export function rotate(kept: KeptSecret[], secret: string, now: number, overlapSeconds: number): KeptSecret[] {
  const end = new Date(now + overlapSeconds * 1000).toISOString()
  const former = kept
    .map((each) => ({ ...each, expiresAt: each.expiresAt !== null && each.expiresAt < end ? each.expiresAt : end }))
    .filter(({ expiresAt }) => Date.parse(expiresAt) > now)
  return [{ secret, expiresAt: null }, ...former.slice(0, maxFormer)]
}

/** The `webhook-signature` header of one attempt: one signature per valid secret, newest first. */
export function createSigner(kept: KeptSecret[]): (id: string, at: Date, body: string) => string {
  const signers = kept.map(({ secret, expiresAt }) => ({
    signer: new Signer(secret),
    endsAt: expiresAt === null ? Infinity : Date.parse(expiresAt),
  }))
  return (id, at, body) => {
    let signatures = ''
    for (const { signer, endsAt } of signers)
      if (endsAt > at.getTime()) signatures += `${signatures && ' '}${signer.sign(id, at, body)}`
    return signatures
  }
}
