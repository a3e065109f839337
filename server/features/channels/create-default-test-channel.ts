import type { SystemTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertFirstTestChannel } from './queries.ts'

/** A toll-free number reserved for fictional use, so it never belongs to a real subscriber. */
const phoneNumber = '+18005550199'

/** Lets every new organization try campaigns, chat and calls at once. */
export async function createDefaultTestChannel(tx: SystemTx, organizationId: string): Promise<void> {
  await insertFirstTestChannel(tx, { organizationId, id: newId(), phoneNumber, displayName: 'Test number' })
}
