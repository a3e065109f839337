import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { Unavailable, unauthorized } from '../../../platform/errors.ts'

/** The claims of a trusted token about a person. */
export interface LinkedIdentity {
  issuer: string
  subject: string
  /** Only if the issuer has verified it. */
  verifiedEmail: string | undefined
  name: string
}

interface Identity extends LinkedIdentity {
  msLeft: number
}

export interface TrustedIssuer {
  readonly issuer: string
  verify(token: string): Promise<Identity>
}

interface TrustedIssuerSettings {
  issuer: string
  audience: string
  jwksUrl: string
}

/** Public keys are published: with a symmetric algorithm any client could sign with them. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Tolerance for clock differences between the issuer and this service. */
const clockToleranceSeconds = 30

/** A second issuer of tokens, for single sign-on: its keys are fetched when needed and cached for ten minutes. */
export function createTrustedIssuer({ issuer, audience, jwksUrl }: TrustedIssuerSettings): TrustedIssuer {
  const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5_000, cooldownDuration: 30_000 })
  return {
    issuer,
    async verify(token) {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: asymmetric,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: clockToleranceSeconds,
      }).catch((error) => {
        throw isFaultOfToken(error) ? unauthorized() : unreachable(error)
      })
      return {
        ...identityOf(payload),
        msLeft: ((payload.exp as number) + clockToleranceSeconds) * 1000 - Date.now(),
      }
    },
  }
}

/** From claims whose signature was verified. */
export function identityOf({ iss, sub, email, email_verified, name }: JWTPayload): LinkedIdentity {
  if (!iss || !sub || sub.length > 255 || !isStorable(sub)) throw unauthorized()
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail: email_verified === true && typeof email === 'string' && isStorable(email) ? email.trim() : undefined,
    name: typeof name === 'string' && isStorable(name) ? name.trim().slice(0, 255).toWellFormed() : '',
  }
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Any other error means that the issuer's keys could not be fetched. */
const isFaultOfToken = (error: unknown) =>
  error instanceof errors.JWTClaimValidationFailed ||
  error instanceof errors.JWTExpired ||
  error instanceof errors.JOSEAlgNotAllowed ||
  error instanceof errors.JOSENotSupported ||
  error instanceof errors.JWSInvalid ||
  error instanceof errors.JWTInvalid ||
  error instanceof errors.JWKSNoMatchingKey ||
  error instanceof errors.JWKSMultipleMatchingKeys ||
  error instanceof errors.JWSSignatureVerificationFailed

const unreachable = (cause: unknown) =>
  new Unavailable('the keys of the trusted issuer cannot be fetched, try again', 5, cause)
