import { isDeepStrictEqual } from 'node:util'
import type { TenantTx } from '../../platform/database.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { emit } from '../../platform/events.ts'
import type { Actor } from '../../platform/http/principal.ts'
import { isTimeZone } from '../../platform/instants.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { contactHandoff, contactStageChanged, contactUpdated } from './events.ts'
import { tryAgainIfTaken } from './identities/taken.ts'
import { existing } from './merging/existing-contact.ts'
import { findContactByPhone, lockContact, stageOf, updateContactRow } from './queries.ts'
import type { Contact, ContactChanges } from './schema.ts'
import { uniqueTags } from './tags.ts'
import { recordActivity } from './timeline/record-activity.ts'

/** Undefined changes nothing. */
type GivenChanges = { [Name in keyof ContactChanges]: ContactChanges[Name] | undefined }

/** Changes the given members and records the change in timeline and events; equal values change nothing. */
export async function changeContact(
  tx: TenantTx,
  id: string,
  changes: GivenChanges,
  { actor, phones, reason }: { actor: Actor; phones: PhoneNumbers; reason?: string | undefined },
): Promise<Contact> {
  const before = await existing(tx, id, lockContact(tx, id))
  const wanted = await wantedContact(tx, before, changes, phones)
  const previous = differences(before, wanted)
  if (Object.keys(previous).length === 0) return before

  if (previous.phone_number !== undefined) {
    const owner = await findContactByPhone(tx, wanted.phone_number)
    if (owner && owner.id !== id)
      throw conflict(`A contact with the phone number ${wanted.phone_number} exists already`, owner.id)
  }
  const isActive = previous.stage !== undefined || previous.ai_handling !== undefined
  const after = await updateContactRow(tx, wanted, { isActive }).catch(tryAgainIfTaken)

  const stage = previous.stage === undefined ? undefined : { old_stage: before.stage, new_stage: after.stage }
  if (stage) await recordActivity(tx, { contactId: id, type: 'stage_changed', actor, payload: stage })
  if (previous.ai_handling !== undefined)
    await recordActivity(tx, {
      contactId: id,
      type: after.ai_handling ? 'handoff_to_ai' : 'handoff_to_human',
      actor,
      payload: reason === undefined ? {} : { reason },
    })
  await Promise.all([
    emit(tx, contactUpdated, after, previous),
    stage && emit(tx, contactStageChanged, after, { stage: before.stage }),
    previous.ai_handling !== undefined && emit(tx, contactHandoff, after, { ai_handling: before.ai_handling }),
  ])
  return after
}

async function wantedContact(
  tx: TenantTx,
  before: Contact,
  changes: GivenChanges,
  phones: PhoneNumbers,
): Promise<Contact> {
  const { name, first_name, phone_number, tags, notes, custom_fields, stage, ai_handling, time_zone } = changes
  return {
    ...before,
    ...(name !== undefined && { name: name.trim() }),
    ...(first_name !== undefined && { first_name: first_name?.trim() || null }),
    ...(phone_number !== undefined && {
      phone_number: await phones.require(tx, phone_number, ['body', 'phone_number']),
    }),
    ...(tags !== undefined && { tags: uniqueTags(tags) }),
    ...(notes !== undefined && { notes }),
    ...(custom_fields !== undefined && { custom_fields }),
    ...(stage !== undefined && { stage: stageOf(stage) }),
    ...(ai_handling !== undefined && { ai_handling }),
    ...(time_zone !== undefined && { time_zone: requireTimeZone(time_zone) }),
  }
}

export function requireTimeZone(name: string | null): string | null {
  if (name === null || isTimeZone(name)) return name
  throw invalid(['body', 'time_zone'], 'Not a time zone: use an IANA name such as Europe/Berlin')
}

/** The previous values of what is about to change. */
export function differences(before: Contact, after: Contact): Partial<Contact> {
  const changed = (Object.keys(before) as (keyof Contact)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  )
  return Object.fromEntries(changed.map((name) => [name, before[name]]))
}
