import type { SystemTx } from '../../../platform/database.ts'
import { AppError, conflict, found, invalid } from '../../../platform/errors.ts'
import { hashPassword, hashToken } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import type { Person } from '../credentials/person-credentials.ts'
import type { Membership } from '../schema.ts'
import { requireSecondFactor } from '../second-factors/require-second-factor.ts'
import { checkPassword, stillHasPassword } from './check-password.ts'
import { type Client, type OpenedSession, openSession } from './open-session.ts'
import {
  findOpenInvitation,
  findUserByEmail,
  insertMember,
  insertUser,
  type OpenInvitation,
  takeInvitation,
} from './queries.ts'
import { type InvitationAcceptance, minPasswordLength } from './schema.ts'
import type { SignInServices } from './sign-in-services.ts'

interface Caller extends Client {
  /** The person who is already signed in; rejects otherwise. */
  identify(): Promise<Person>
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
  services: SignInServices,
  input: InvitationAcceptance,
  caller: Caller,
): Promise<Acceptance> {
  const { database } = services
  const tokenHash = hashToken(input.token)
  const invitation = found(await findOpenInvitation(database.forSystem(), tokenHash), 'Invitation')
  const account = await findUserByEmail(database.forSystem(), invitation.email)
  const enter = account
    ? await enterAccount(services, account.id, invitation, input, caller)
    : await enterWithNewAccount(services, invitation, input, caller)
  return database.inSystem(async (tx) => {
    const taken = found(await takeInvitation(tx, tokenHash), 'Invitation')
    const { userId, session } = await enter(tx)
    await insertMember(tx, userId, taken)
    tx.signal(credentialsChannel)
    return {
      organization: { id: taken.organization_id, name: invitation.organization_name, role: taken.role },
      userId,
      session,
    }
  })
}

async function enterAccount(
  services: SignInServices,
  userId: string,
  { email }: OpenInvitation,
  { password, code }: InvitationAcceptance,
  caller: Caller,
): Promise<Entry> {
  if (password !== undefined) {
    const user = await checkPassword(services, { email, password, ...caller })
    const useSecondFactor = await requireSecondFactor(services, userId, code, caller)
    return async (tx) => {
      await stillHasPassword(tx, user)
      await useSecondFactor(tx)
      const session = await openSession(tx, services.sessionLimits, { userId, signedInBy: 'password', client: caller })
      return { userId, session }
    }
  }
  const person = await caller.identify()
  if (person.userId !== userId) throw new AppError(403, 'This invitation is for another e-mail address')
  return async () => ({ userId, session: null })
}

async function enterWithNewAccount(
  { sessionLimits }: SignInServices,
  { email }: OpenInvitation,
  { name = '', password }: InvitationAcceptance,
  client: Client,
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
    const session = await openSession(tx, sessionLimits, { userId: created.id, signedInBy: 'invitation', client })
    return { userId: created.id, session }
  }
}
