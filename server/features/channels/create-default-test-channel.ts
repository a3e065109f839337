import type { SystemTx } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'
import { insertFirstTestChannel } from './queries.ts'

/** The one toll-free number that is set aside for fiction: it can never be somebody's. */
const phoneNumber = '+18005550199'

/** Every new organization can try campaigns, chat and calls at once. */
export async function createDefaultTestChannel(tx: SystemTx, organizationId: string): Promise<void> {
  await insertFirstTestChannel(tx, { organizationId, id: newId(), phoneNumber, displayName: 'Test number' })
}
