import { AsyncLocalStorage } from 'node:async_hooks'

/** Whose request the code is running for: transactions pass it to the database, where the audit log records it. */
export interface Origin {
  /** Absent while a person signs in. */
  actor?: { type: 'user' | 'key'; id: string }
  /** Acts for the installation, not as a member: organizations do not learn who it was. */
  isOperator?: boolean
  ipAddress: string
  requestId: string
}

const current = new AsyncLocalStorage<Origin>()

/** Runs the work of a request. Outside of one, as in jobs, the service itself is acting. */
export const withOrigin = <T>(origin: Origin, work: () => T): T => current.run(origin, work)

/** As the database reads it, or undefined outside of a request. */
export function originSetting(): string | undefined {
  const origin = current.getStore()
  if (!origin) return undefined
  const { actor, isOperator, ipAddress, requestId } = origin
  return JSON.stringify({
    ...(actor && { actor_type: actor.type, actor_id: actor.id }),
    ...(isOperator && { as_operator: true }),
    ip_address: ipAddress,
    request_id: requestId,
  })
}
