import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { createPhoneNumbers } from '../../platform/phone-numbers.ts'
import { changeContact } from './update-contact.ts'

/** No number is changed, so it does not matter in which country one without + would be. */
const phones = createPhoneNumbers(undefined)

/** Hands a contact to a person or to the AI; it may be so already. */
export async function setHandling(
  tx: TenantTx,
  contactId: string,
  { aiHandling, actor, reason }: { aiHandling: boolean; actor: Actor; reason: string },
): Promise<void> {
  await changeContact(tx, contactId, { ai_handling: aiHandling }, { actor, phones, reason })
}
