import Type from 'typebox'
import type { Database } from '../../platform/database.ts'
import { Answer } from '../../platform/http/answer.ts'
import { answerCsv } from '../../platform/http/file-answer.ts'
import type { Routes } from '../../platform/http/routes.ts'
import type { PersonalTable } from '../../platform/personal-data.ts'
import type { PhoneNumbers } from '../../platform/phone-numbers.ts'
import { Deleted, deleted } from '../../platform/schemas.ts'
import { recordAction } from '../audit/record-action.ts'
import { blockContact } from './block-contact.ts'
import { listConsents } from './consent/consent-log-queries.ts'
import { setConsent } from './consent/opt-out.ts'
import { recordConsent } from './consent/record-consent.ts'
import { Consent, ConsentFilter, ConsentPage, NewConsent } from './consent/schema.ts'
import { createContact } from './create-contact.ts'
import { deleteContact } from './delete-contact.ts'
import { exportContacts } from './exports/export-contacts.ts'
import { getContact, getContactWithIdentities } from './get-contact.ts'
import { listTags } from './lists/queries.ts'
import { readContacts } from './lists/read-contacts.ts'
import { ContactFilter, ContactPage, ExportFilter, TagCounts, TagFilter } from './lists/schema.ts'
import { mergeContacts } from './merging/merge-contacts.ts'
import {
  Contact,
  ContactChanges,
  ContactPath,
  ContactReplacement,
  ContactWithIdentities,
  Handoff,
  Merge,
  NewContact,
  OnConflict,
} from './schema.ts'
import { addActivity } from './timeline/add-activity.ts'
import { listTimeline } from './timeline/list-timeline.ts'
import { Activity, ActivityFilter, ActivityPage, NewActivity } from './timeline/schema.ts'
import { changeContact } from './update-contact.ts'

const tag = 'Contacts'

export function contactRoutes(
  routes: Routes,
  { database, phones, personalData }: { database: Database; phones: PhoneNumbers; personalData: PersonalTable[] },
): void {
  routes.read({
    id: 'listContacts',
    method: 'GET',
    url: '/contacts',
    tag,
    summary: 'List contacts',
    scope: 'contacts:read',
    query: ContactFilter,
    response: ContactPage,
    handler: (sql, { query }) => readContacts(sql, query),
  })

  routes.write({
    id: 'createContact',
    method: 'POST',
    url: '/contacts',
    tag,
    summary: 'Create a contact',
    description: 'A phone number belongs to one contact: a second contact is refused with the id of the first.',
    scope: 'contacts:write',
    query: OnConflict,
    body: NewContact,
    response: Contact,
    status: 201,
    unaudited: true,
    otherStatus: 200,
    handler: async (tx, { body, query, principal: { actor } }) => {
      const { contact, created } = await createContact(tx, body, { actor, phones, onConflict: query.on_conflict })
      return created ? contact : new Answer(200, contact)
    },
  })

  routes.stream({
    id: 'exportContacts',
    method: 'GET',
    url: '/contacts/export',
    tag,
    summary: 'Export contacts as CSV',
    description:
      'Accepts the filters of the list; oldest first. You can import the file again: custom fields have their own columns (as JSON if a value is not plain text), and cells that a spreadsheet would read as a formula start with an apostrophe.',
    scope: 'contacts:read',
    query: ExportFilter,
    response: Type.String({ description: 'A header row, then one row per contact' }),
    contentType: 'text/csv',
    handler: async ({ query, reply, principal: { scope } }) => {
      // Not what was searched for: a name or a number would outlive the contact.
      const filter = query.search === undefined ? query : { ...query, search: '[hidden]' }
      await recordAction(database.forTenant(scope), 'contact.exported', { details: { filter } })
      return answerCsv(reply, 'contacts', await exportContacts(database.forReports(scope), query))
    },
  })

  routes.read({
    id: 'listContactTags',
    method: 'GET',
    url: '/contacts/tags',
    tag,
    summary: 'List tags',
    description: 'Most used first.',
    scope: 'contacts:read',
    query: TagFilter,
    response: TagCounts,
    handler: async (sql, { query }) => ({ tags: await listTags(sql, query) }),
  })

  routes.read({
    id: 'getContact',
    method: 'GET',
    url: '/contacts/{contact_id}',
    tag,
    summary: 'Get a contact',
    description:
      'With its identities. A contact that was merged into another one answers 404 with `merged_into`, the id of that contact.',
    scope: 'contacts:read',
    params: ContactPath,
    response: ContactWithIdentities,
    handler: (sql, { params }) => getContactWithIdentities(sql, params.contact_id),
  })

  routes.write({
    id: 'replaceContact',
    method: 'PUT',
    url: '/contacts/{contact_id}',
    tag,
    summary: 'Update a contact',
    description: 'Changes only the fields that you send.',
    scope: 'contacts:write',
    params: ContactPath,
    body: ContactReplacement,
    response: Contact,
    errors: [409],
    handler: (tx, { params, body, principal: { actor } }) => {
      const { name, phone_number, tags, notes, custom_fields } = body
      return changeContact(tx, params.contact_id, { name, phone_number, tags, notes, custom_fields }, { actor, phones })
    },
  })

  routes.write({
    id: 'updateContact',
    method: 'PATCH',
    url: '/contacts/{contact_id}',
    tag,
    summary: 'Update a contact, its stage or its handling',
    description:
      'Changes only the fields that you send, including the stage, the AI handling, the marketing opt-out and the block.',
    scope: 'contacts:write',
    params: ContactPath,
    body: ContactChanges,
    response: Contact,
    errors: [409],
    handler: async (tx, { params, body: { opted_out, blocked, ...changes }, principal: { actor } }) => {
      const changed = await changeContact(tx, params.contact_id, changes, { actor, phones })
      return blockContact(tx, await setConsent(tx, changed, opted_out), blocked)
    },
  })

  routes.write({
    id: 'deleteContact',
    method: 'DELETE',
    url: '/contacts/{contact_id}',
    tag,
    summary: 'Delete a contact',
    description:
      'Deletes its activities, tasks, tickets and messages too. Call logs and deliveries stay without a contact.',
    scope: 'contacts:write',
    params: ContactPath,
    response: Deleted,
    handler: (tx, { params }) => deleteContact(tx, params.contact_id).then(() => deleted('Contact')),
  })

  routes.write({
    id: 'mergeContacts',
    method: 'POST',
    url: '/contacts/{contact_id}/merge',
    tag,
    summary: 'Merge two contacts',
    description:
      'Merges another contact into this one: its tickets, messages, calls, tasks, deliveries, activities, tags, consents and identities. The stricter consent counts. Values of this contact stay; those of the other one fill gaps, and an activity keeps the differences. From then on, the other id returns 404 with `merged_into`. You cannot undo a merge.',
    scope: 'contacts:write',
    params: ContactPath,
    body: Merge,
    response: Contact,
    errors: [409],
    handler: (tx, { params, body, principal: { actor } }) =>
      mergeContacts(tx, { from: body.contact_id, into: params.contact_id }, { actor, tables: personalData }),
  })

  routes.write({
    id: 'handOffContact',
    method: 'POST',
    url: '/contacts/{contact_id}/handoff',
    tag,
    summary: 'Hand a contact off to a person or the AI',
    scope: 'contacts:write',
    params: ContactPath,
    body: Handoff,
    response: Contact,
    handler: (tx, { params, body, principal: { actor } }) =>
      changeContact(tx, params.contact_id, { ai_handling: body.to === 'ai' }, { actor, phones, reason: body.reason }),
  })

  routes.read({
    id: 'listConsents',
    method: 'GET',
    url: '/contacts/{contact_id}/consents',
    tag,
    summary: 'List a contact’s consents',
    description:
      'What the contact agreed to and withdrew, newest first. Entries are never changed; opting out and in adds one.',
    scope: 'contacts:read',
    params: ContactPath,
    query: ConsentFilter,
    response: ConsentPage,
    handler: async (sql, { params, query }) => {
      await getContact(sql, params.contact_id)
      return listConsents(sql, params.contact_id, query)
    },
  })

  routes.write({
    id: 'createConsent',
    method: 'POST',
    url: '/contacts/{contact_id}/consents',
    tag,
    summary: 'Record a consent',
    description:
      'Records that the contact agreed to something or withdrew it. With the channel `all` and the purpose `marketing` it also sets or clears the opt-out.',
    scope: 'contacts:write',
    params: ContactPath,
    body: NewConsent,
    response: Consent,
    status: 201,
    errors: [400],
    handler: (tx, { params, body }) => recordConsent(tx, params.contact_id, body),
  })

  routes.read({
    id: 'listActivities',
    method: 'GET',
    url: '/contacts/{contact_id}/activities',
    tag,
    summary: 'List a contact’s activities',
    description: 'The timeline, newest first.',
    scope: 'contacts:read',
    params: ContactPath,
    query: ActivityFilter,
    response: ActivityPage,
    handler: (sql, { params, query }) => listTimeline(sql, params.contact_id, query),
  })

  routes.write({
    id: 'createActivity',
    method: 'POST',
    url: '/contacts/{contact_id}/activities',
    tag,
    summary: 'Create an activity',
    scope: 'contacts:write',
    params: ContactPath,
    body: NewActivity,
    response: Activity,
    status: 201,
    handler: (tx, { params, body, principal: { actor } }) => addActivity(tx, params.contact_id, body, actor),
  })
}
