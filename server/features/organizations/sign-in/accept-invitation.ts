import type { SystemTx } from '../../../platform/database.ts'
import { AppError, conflict, found, invalid } from '../../../platform/errors.ts'
import { hashPassword, hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { Person } from '../credentials/person-credentials.ts'
import type { Membership } from '../schema.ts'
import { checkPassword, type PasswordChecks, stillHasPassword } from './check-password.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import {
  findOpenInvitation,
  findUserByEmail,
  insertMember,
  insertUser,
  type OpenInvitation,
  takeInvitation,
} from './queries.ts'
import { type InvitationAcceptance, minPasswordLength } from './schema.ts'

interface Caller {
  /** The person who is already signed in; rejects otherwise. */
  identify(): Promise<Person>
  address: string
  userAgent: string | undefined
  deviceToken: string | undefined
}

interface Acceptance {
  organization: Membership
  userId: string
  /** Null for a person who was already signed in. */
  session: OpenedSession | null
}

/** How the invited person signs in: finds or creates their account, and may open a session. */
type Entry = (tx: SystemTx) => Promise<{ userId: string; session: OpenedSession | null }>

/**
 * Accepts the invitation. The token proves that this email was invited, not that the bearer owns it: the owner of an
 * existing account must prove that it is theirs, or an inviter could enter other people's organizations.
 */
export async function acceptInvitation(
  checks: PasswordChecks,
  input: InvitationAcceptance,
  caller: Caller,
): Promise<Acceptance> {
  const { database } = checks
  const tokenHash = hashToken(input.token)
  const invitation = found(await findOpenInvitation(database.forSystem(), tokenHash), 'Invitation')
  const account = await findUserByEmail(database.forSystem(), invitation.email)
  const enter = account
    ? await enterAccount(checks, account.id, invitation, input.password, caller)
    : await enterWithNewAccount(invitation, input, caller)
  return database.inSystem(async (tx) => {
    const taken = found(await takeInvitation(tx, tokenHash), 'Invitation')
    const { userId, session } = await enter(tx)
    await insertMember(tx, taken.organization_id, userId, taken.role)
    tx.signal(credentialsChannel)
    return {
      organization: { id: taken.organization_id, name: invitation.organization_name, role: taken.role },
      userId,
      session,
    }
  })
}

async function enterAccount(
  checks: PasswordChecks,
  userId: string,
  { email }: OpenInvitation,
  password: string | undefined,
  { identify, address, userAgent, deviceToken }: Caller,
): Promise<Entry> {
  if (password !== undefined) {
    const user = await checkPassword(checks, { email, password, address, deviceToken })
    return async (tx) => {
      await stillHasPassword(tx, user)
      return { userId, session: await openSession(tx, { userId, signedInBy: 'password', userAgent }) }
    }
  }
  const person = await identify()
  if (person.userId !== userId) throw new AppError(403, 'This invitation is for another e-mail address')
  return async () => ({ userId, session: null })
}

async function enterWithNewAccount(
  { email }: OpenInvitation,
  { name = '', password }: InvitationAcceptance,
  { userAgent }: Caller,
): Promise<Entry> {
  if (password === undefined) throw invalid(['body', 'password'], 'Field required', 'missing')
  if (password.length < minPasswordLength)
    throw invalid(
      ['body', 'password'],
      `password must have at least ${minPasswordLength} characters`,
      'string_too_short',
    )
  const passwordHash = await hashPassword(password)
  return async (tx) => {
    const created = await insertUser(tx, { email, name: name.trim(), passwordHash })
    if (!created) throw conflict('An account with this e-mail was just created: try again with its password')
    const session = await openSession(tx, { userId: created.id, signedInBy: 'invitation', userAgent })
    return { userId: created.id, session }
  }
}
