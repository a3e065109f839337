import Type from 'typebox'
import type { SystemSql, SystemTx } from '../../../platform/database.ts'
import { newId } from '../../../platform/ids.ts'
import { Id, Nullable } from '../../../platform/schemas.ts'
import { sql } from '../../../platform/sql.ts'
import { Passkey } from './schema.ts'

const columns = sql`id, name, created_at, last_used_at`

export const listPasskeys = (tx: SystemSql, userId: string) =>
  tx.all(Passkey)`select ${columns} from passkeys where user_id = ${userId} order by id desc`

const StoredPasskey = Type.Object({
  id: Id,
  user_id: Id,
  credential_id: Type.String(),
  public_key: Type.Unsafe<Buffer>({}),
  counter: Type.Integer(),
  is_member: Type.Boolean(),
})

export const findPasskey = (tx: SystemSql, credentialId: string) =>
  tx.maybe(StoredPasskey)`
    select id, user_id, credential_id, public_key, counter,
      exists (select from members where members.user_id = passkeys.user_id) as is_member
    from passkeys where credential_id = ${credentialId}`

const Credential = Type.Object({ credential_id: Type.String() })

export const credentialsOf = (tx: SystemSql, userId: string) =>
  tx.all(Credential)`select credential_id from passkeys where user_id = ${userId}`

/** No row if the credential is stored already. */
export const insertPasskey = (
  tx: SystemTx,
  passkey: { userId: string; credentialId: string; publicKey: Buffer; counter: number; name: string },
) =>
  tx.maybe(Passkey)`
    insert into passkeys (id, user_id, credential_id, public_key, counter, name)
    values (${newId()}, ${passkey.userId}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
      ${passkey.name})
    on conflict (credential_id) do nothing
    returning ${columns}`

/** Only while it is stored; the counter of a passkey that counts only grows. */
export const notePasskeyUse = (tx: SystemTx, id: string, counter: number) =>
  tx.run`
    update passkeys set last_used_at = now(), counter = ${counter}
    where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`

export const deletePasskey = (tx: SystemTx, userId: string, id: string) =>
  tx.run`delete from passkeys where user_id = ${userId} and id = ${id}`

/** Also deletes expired ones. */
export const insertChallenge = (tx: SystemTx, challengeHash: Buffer, userId: string | null, minutes: number) =>
  tx.run`
    with swept as (delete from passkey_challenges where expires_at < now())
    insert into passkey_challenges (challenge_hash, user_id, expires_at)
    values (${challengeHash}, ${userId}, now() + make_interval(mins => ${minutes}))`

const Taken = Type.Object({ user_id: Nullable(Id) })

/** One statement, so that a challenge is answered once. */
export const takeChallenge = (tx: SystemSql, challengeHash: Buffer, userId: string | null) =>
  tx.maybe(Taken)`
    delete from passkey_challenges
    where challenge_hash = ${challengeHash} and user_id is not distinct from ${userId}::uuid and expires_at > now()
    returning user_id`
