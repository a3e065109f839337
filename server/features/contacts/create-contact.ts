import { type TenantTx, TryAgain } from '../../platform/database.ts'
import { conflict } from '../../platform/errors.ts'
import { announceEvents } from '../../platform/events.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { newId } from '../../platform/ids.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { contactCreated } from './events.ts'
import { tryAgainIfTaken } from './identities/taken.ts'
import { findContactByPhone, insertContact, lockContactByPhone, stageOf } from './queries.ts'
import type { Contact, NewContact } from './schema.ts'
import { uniqueTags } from './tags.ts'
import { changeContact, requireTimeZone } from './update-contact.ts'

interface CreateContactOptions {
  actor: Actor
  phones: PhoneNumbers
  onConflict?: 'return' | 'update' | undefined
}

/** One contact per phone number, also under fifty parallel requests: the unique index decides. */
export async function createContact(
  tx: TenantTx,
  input: NewContact,
  { actor, phones, onConflict }: CreateContactOptions,
): Promise<{ contact: Contact; created: boolean }> {
  const phone_number = await phones.require(tx, input.phone_number, ['body', 'phone_number'])
  const created = await insertContact(
    tx.last,
    {
      id: newId(),
      phone_number,
      name: (input.name ?? '').trim(),
      first_name: input.first_name?.trim() || null,
      tags: uniqueTags(input.tags ?? []),
      notes: input.notes ?? '',
      custom_fields: input.custom_fields ?? {},
      stage: stageOf(input.stage ?? 'new'),
      ai_handling: input.ai_handling ?? true,
      time_zone: requireTimeZone(input.time_zone ?? null),
    },
    { activityId: newId(), eventId: newId(), actor, eventType: contactCreated.type },
  ).catch(tryAgainIfTaken)
  if (created) {
    announceEvents(tx, contactCreated)
    return { contact: created, created: true }
  }
  const existing = await (onConflict === 'update' ? lockContactByPhone : findContactByPhone)(tx, phone_number)
  if (!existing) throw new TryAgain(new Error('a contact was deleted and its phone number is free again'))
  if (onConflict === 'return') return { contact: existing, created: false }
  if (onConflict === 'update')
    return { contact: await changeContact(tx, existing.id, input, { actor, phones }), created: false }
  throw conflict(`A contact with the phone number ${phone_number} exists already`, existing.id)
}
