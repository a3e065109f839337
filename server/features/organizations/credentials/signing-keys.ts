import {
  calculateJwkThumbprint,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTHeaderParameters,
  jwtVerify,
  SignJWT,
} from 'jose'
import Type, { type Static } from 'typebox'
import type { Database, SystemSql, SystemTx } from '../../../platform/database.ts'
import { unauthorized } from '../../../platform/errors.ts'
import { sealedColumn } from '../../../platform/reseal.ts'
import type { SecretBox } from '../../../platform/secrets.ts'

/** The claims of an access token: the person and the session. */
interface AccessClaims {
  userId: string
  sessionId: string
  /** In seconds since 1970. */
  expiresAt: number
}

export interface SigningKeys {
  readonly issuer: string
  /** Lifetime of an access token, in seconds. */
  readonly lifetimeSeconds: number
  issue(person: { userId: string; sessionId: string; issuedAt: number }): Promise<string>
  /**
   * The claims of a token that we signed; rejects otherwise. Compare `expiresAt` with the clock of the database, which
   * all nodes share: a node whose own clock is wrong must neither refuse valid tokens nor accept expired ones.
   */
  verify(token: string): Promise<AccessClaims>
  /** The public keys, for services that verify our tokens. */
  publicKeys(): { keys: JWK[] }
}

const audience = 'frontdesk'
const algorithm = 'EdDSA'
const lifetimeSeconds = 3_600

/**
 * A node that sees an unknown key id checks for a new key, but at most this often: forged tokens must not cause a read
 * each.
 */
const reloadAtMostEveryMs = 5_000

const KeyPair = Type.Object({
  id: Type.String(),
  public_jwk: Type.Unsafe<JWK>({ type: 'object' }),
  sealed_private_jwk: Type.Unsafe<Buffer>({}),
})
type KeyPair = Static<typeof KeyPair>

const contextOf = (id: string) => `signing key ${id}`

/** The key pairs that sign and verify access tokens; the first node to start creates one, all others read it. */
export async function openSigningKeys(database: Database, secrets: SecretBox, issuer: string): Promise<SigningKeys> {
  let { pairs, signer } = await load(database, secrets)
  let loadedAt = performance.now()

  async function publicKey({ kid }: JWTHeaderParameters) {
    let pair = pairs.find(({ id }) => id === kid)
    if (!pair && performance.now() - loadedAt > reloadAtMostEveryMs) {
      loadedAt = performance.now()
      ;({ pairs, signer } = await load(database, secrets))
      pair = pairs.find(({ id }) => id === kid)
    }
    if (!pair) throw unauthorized()
    return importJWK(pair.public_jwk, algorithm)
  }

  return {
    issuer,
    lifetimeSeconds,
    issue: ({ userId, sessionId, issuedAt }) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: signer.id })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(userId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .sign(signer.privateKey),
    async verify(token) {
      // The algorithm is fixed here and never taken from the token: `none` and HMAC with the public key are refused.
      const { payload } = await jwtVerify(token, publicKey, {
        issuer,
        audience,
        algorithms: [algorithm],
        requiredClaims: ['sub', 'sid', 'exp'],
        currentDate: new Date(0),
      }).catch((error) => {
        throw error instanceof errors.JOSEError ? unauthorized() : error
      })
      return {
        userId: payload.sub as string,
        sessionId: String(payload.sid),
        expiresAt: payload.exp as number,
      }
    },
    publicKeys: () => ({ keys: pairs.map(({ public_jwk }) => public_jwk) }),
  }
}

async function load(database: Database, secrets: SecretBox) {
  const read = (tx: Pick<SystemTx, 'all'>) =>
    tx.all(KeyPair)`select id, public_jwk, sealed_private_jwk from signing_keys order by created_at desc, id`
  let pairs = await read(database.forSystem())
  let signer = await openNewest(pairs, secrets)
  if (!signer) {
    // There is none yet, or SECRET_KEY has changed and the private key cannot be opened: older tokens can still be
    // verified.
    pairs = await database.inSystem(async (tx) => {
      await tx.run`select pg_advisory_xact_lock(hashtextextended('signing keys', 0))`
      const meanwhile = await read(tx)
      if (await openNewest(meanwhile, secrets)) return meanwhile
      await insertPair(tx, secrets)
      return read(tx)
    })
    signer = await openNewest(pairs, secrets)
  }
  if (!signer) throw new Error('the signing key cannot be opened')
  return { pairs, signer }
}

async function openNewest(pairs: KeyPair[], secrets: SecretBox) {
  for (const { id, sealed_private_jwk } of pairs) {
    try {
      const jwk = JSON.parse(secrets.open(sealed_private_jwk, contextOf(id)))
      return { id, privateKey: await importJWK(jwk, algorithm) }
    } catch {
      // Sealed with another SECRET_KEY.
    }
  }
  return undefined
}

export const sealedSigningKeys = sealedColumn({
  table: 'signing_keys',
  column: 'sealed_private_jwk',
  key: { id: 'text' },
  context: ({ id }) => contextOf(id),
})

/** Whether a box opens the oldest signing key; undefined where there is none yet. */
export async function oldestSigningKey(sql: SystemSql): Promise<((box: SecretBox) => boolean) | undefined> {
  const oldest = await sql.maybe(KeyPair)`
    select id, public_jwk, sealed_private_jwk from signing_keys order by created_at, id limit 1`
  return (
    oldest &&
    ((box) => {
      try {
        box.open(oldest.sealed_private_jwk, contextOf(oldest.id))
        return true
      } catch {
        return false
      }
    })
  )
}

async function insertPair(tx: SystemTx, secrets: SecretBox): Promise<void> {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
  const publicJwk = await exportJWK(publicKey)
  const id = await calculateJwkThumbprint(publicJwk)
  const sealed = secrets.seal(JSON.stringify(await exportJWK(privateKey)), contextOf(id))
  await tx.run`
    insert into signing_keys (id, public_jwk, sealed_private_jwk)
    values (${id}, ${{ ...publicJwk, kid: id, alg: algorithm, use: 'sig' }}, ${sealed})`
}
