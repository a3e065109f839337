import { conflict } from '../../../platform/errors.ts'
import { hashPassword } from '../../../platform/secrets.ts'
import { credentialsChannel } from '../credentials/credential-cache.ts'
import { announceAccountChange } from '../mails/announce-account-change.ts'
import { confirmPerson, type SignedInPerson } from './confirm-person.ts'
import { closeOtherSessions, deleteSignInLinks, insertPasswordChange, updatePassword } from './queries.ts'
import type { PasswordChange } from './schema.ts'
import type { PasswordChecks } from './sign-in-services.ts'

/** Sets a new password and signs the person out everywhere else. */
export async function changePassword(
  checks: PasswordChecks,
  person: SignedInPerson,
  { current_password, new_password }: PasswordChange,
): Promise<void> {
  const { userId, sessionId } = person
  const { password_hash } = await confirmPerson(checks, person, current_password)
  const passwordHash = await hashPassword(new_password)
  await checks.database.inSystem(async (tx) => {
    const changed = await updatePassword(tx, userId, password_hash, passwordHash)
    if (changed === 0) throw conflict('The password was changed by another request: try again')
    await Promise.all([
      closeOtherSessions(tx, userId, sessionId),
      deleteSignInLinks(tx, userId),
      insertPasswordChange(tx, userId),
      announceAccountChange(tx, checks, userId, 'password_changed'),
    ])
    tx.signal(credentialsChannel)
  })
}
