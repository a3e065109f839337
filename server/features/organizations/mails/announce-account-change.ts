import type { SystemTx } from '../../../platform/database.ts'
import { type AccountChange, accountChangeMailJob } from './job-kinds.ts'

/** Emails a person that their password or a second factor changed, once the change is committed. */
export async function announceAccountChange(
  tx: SystemTx,
  { sendsMail }: { sendsMail: boolean },
  userId: string,
  change: AccountChange,
): Promise<void> {
  if (sendsMail) await tx.enqueue(accountChangeMailJob, { userId, change })
}
