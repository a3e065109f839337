import { isDeepStrictEqual } from 'node:util'
import type { Database, TenantScope } from '../../../platform/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { ChatError } from '../../../providers/chat/contract.ts'
import type { ChatConnections } from '../../channels/connections/chat-connections.ts'
import { findBlockState } from './queries.ts'

/**
 * Tells the platform whether a contact is blocked, by each of its numbers and accounts and on each channel that it wrote
 * to. A refusal of this person is ignored: our own block holds without the platform. If the token or the account of a
 * channel does not work, the job fails after the other channels and is repeated, for about half an hour: a person who
 * stays on the platform's list could not write after being unblocked. The state is read again afterwards, because
 * another worker may have told the platform an older one in between.
 */
export async function syncBlockList(
  { database, chatConnections }: { database: Database; chatConnections: ChatConnections },
  scope: TenantScope,
  contactId: string,
): Promise<void> {
  const sql = database.forTenant(scope)
  const failures: unknown[] = []
  for (let state = await findBlockState(sql, contactId); state; ) {
    const { is_blocked: isBlocked, phone_numbers, user_ids, channel_ids } = state
    const people = [...phone_numbers.map((phoneNumber) => ({ phoneNumber })), ...user_ids.map((userId) => ({ userId }))]
    for (const channelId of channel_ids)
      for (const person of people)
        try {
          const { platform } = await chatConnections.open(sql, channelId)
          await platform.setBlocked(person, isBlocked)
        } catch (error) {
          if (!isAboutPerson(error)) failures.push(error)
        }
    const now = await findBlockState(sql, contactId)
    state = isDeepStrictEqual(now, state) ? undefined : now
  }
  if (failures.length > 0) throw failures[0]
}

const isAboutPerson = (error: unknown): boolean =>
  error instanceof ChatError ? error.verdict === 'fail' : error instanceof AppError
