import type { TenantTx } from '../../platform/database.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { createPhoneNumbers } from '../../platform/phone-numbers.ts'
import { changeContact } from './update-contact.ts'

/** No number is changed, so the default country does not matter. */
const phones = createPhoneNumbers(undefined)

/** Hands a contact off to a person or to the AI; repeating it changes nothing. */
export async function setHandling(
  tx: TenantTx,
  contactId: string,
  { aiHandling, actor, reason }: { aiHandling: boolean; actor: Actor; reason: string },
): Promise<void> {
  await changeContact(tx, contactId, { ai_handling: aiHandling }, { actor, phones, reason })
}
