import { seedOrganization } from '../demo/seed-organization.ts'
import { newId } from '../platform/ids.ts'
import { bodyOf, type Reply, type TestApp, type TestOrganization } from './app.ts'
import { createReceptionist, untilCall } from './calls.ts'
import { addDocument } from './documents.ts'
import { importFile } from './imports.ts'
import { person, signInByLink, type TestPerson } from './people.ts'
import { until } from './process.ts'
import { type Receiver, receiver } from './webhook-receivers.ts'

/** A test organization with the demo data and one record of everything else; the ids are named as in the API. */
interface DemoRecords extends TestOrganization {
  owner: TestPerson
  endpoint: Receiver
  ids: Record<string, string>
}

export async function demoRecords(app: TestApp): Promise<DemoRecords> {
  const org = await app.organization()
  const { call } = org
  const owner = await person(app, org.id, 'owner')
  await app.database.forSystem().run`insert into operators (user_id) values (${owner.id})`
  await seedOrganization(app.database, org.id)
  const [channel] = bodyOf(await call('GET', 'channels')).data
  // Tests write and receive messages: no agent answers in between.
  bodyOf(await call('PATCH', `channels/${channel.id}`, { agent_id: null }))
  const [task] = bodyOf(await call('GET', 'crm/tasks?limit=1')).data
  const endpoint = await receiver()
  const received = await receivedMessage(org)
  const webhook = bodyOf(await call('POST', 'webhooks', { url: endpoint.url, events: ['*'] }))
  const template = await approvedTemplate(org, channel.id)
  const agent = await createReceptionist(org)
  // Busy: the call ends immediately and needs no speech.
  const placed = bodyOf(await call('POST', 'calls', { agent_id: agent, to_number: '+12025550112' }))
  await untilCall(org, placed.id, ({ status }) => status !== 'in-progress')
  const campaign = bodyOf(
    await call('POST', 'campaigns', {
      name: 'News',
      chat_phone_number_id: channel.id,
      ...later,
      message_template_id: template,
    }),
  )
  await signInByLink(app, owner.id)
  const document = await addDocument(call, 'Refunds are paid within fourteen days.', 'refunds.txt')
  bodyOf(await call('PUT', `assignment-rules/${channel.id}`, {}))
  const unwanted = bodyOf(await call('POST', 'contacts', { phone_number: '+14155559189' }))
  bodyOf(await owner.call('PUT', 'provider-keys/deepgram', { key: '9f8e7d6c5b4a39281706f5e4' }))
  const imported = await importFile(call, 'phone\n+14155550190\n')
  return {
    ...org,
    owner,
    endpoint,
    ids: {
      agent_id: agent,
      assignee_id: owner.id,
      bulk_edit_id: bodyOf(await call('POST', 'contact-bulk-edits', { filter: { tag: 'nobody' }, add_tags: ['x'] })).id,
      call_id: placed.id,
      call_log_id: placed.id,
      campaign_id: campaign.id,
      channel_id: channel.id,
      channel_ids: channel.id,
      chat_phone_number_id: channel.id,
      collection_id: bodyOf(await call('POST', 'knowledge-base/collections', { name: 'Returns' })).id,
      contact_id: received.contact_id,
      delivery_id: bodyOf(await call('POST', `webhooks/${webhook.id}/test`)).id,
      document_id: document.id,
      erasure_id: bodyOf(await call('POST', `contacts/${unwanted.id}/erase`)).id,
      faq_id: bodyOf(await call('POST', 'knowledge-base/faqs', { question: 'Where do I park?', answer: 'Behind us.' }))
        .id,
      export_id: (await completedExport(org, received.contact_id)).id,
      gap_id: await openGap(app, org, received),
      ids: received.inbox_id,
      import_id: imported.id,
      domain_id: bodyOf(await owner.call('POST', 'domains', { domain: 'demo.example', role: 'member' })).id,
      inbox_id: received.inbox_id,
      invitation_id: bodyOf(await owner.call('POST', 'invitations', { email: 'ines@example.com', role: 'member' })).id,
      job_id: await failedJob(app),
      organization_id: (await app.organization({ name: 'Globex' })).id,
      role_id: bodyOf(await owner.call('POST', 'roles', { name: 'Reception', scopes: ['inbox:read'] })).id,
      key_id: (await app.key(org.id, { scopes: ['contacts:read'] })).id,
      last_event_id: bodyOf(await call('GET', 'events?limit=1')).data[0].id,
      media_id: received.media_url.split('/').at(-1),
      note_id: bodyOf(await call('POST', `inbox/tickets/${received.inbox_id}/notes`, { body: 'Called back' })).id,
      member_id: (await person(app, org.id, 'member')).id,
      message_id: received.id,
      message_template_id: template,
      // These belong to one person or device: tests that need one add it.
      notification_id: newId(),
      passkey_id: newId(),
      attachment_id: newId(),
      saved_reply_id: bodyOf(await call('POST', 'inbox/saved-replies', { name: 'hours', body: 'Until six.' })).id,
      policy_id: bodyOf(
        await owner.call('POST', 'sla-policies', { name: 'Urgent', priority: 'urgent', first_reply_minutes: 5 }),
      ).id,
      schedule_id: bodyOf(
        await owner.call('POST', 'schedules', { name: 'Weekends', time_zone: 'UTC', weekly_hours: {} }),
      ).id,
      subscription_id: newId(),
      scheduled_message_id: bodyOf(
        await call('POST', `inbox/tickets/${received.inbox_id}/scheduled-messages`, {
          body: 'Good morning',
          send_at: later.scheduled_at,
        }),
      ).id,
      session_id: bodyOf(await owner.call('GET', 'auth/sessions')).data[0].id,
      starting_after: received.id,
      task_id: task.id,
      team_id: bodyOf(await owner.call('POST', 'teams', { name: 'Reception' })).id,
      team_ids: bodyOf(await owner.call('POST', 'teams', { name: 'Kitchen' })).id,
      template_id: template,
      view_id: bodyOf(
        await call('POST', 'inbox/views', { name: 'Urgent', filters: { priority: 'urgent' }, shared: true }),
      ).id,
      webhook_id: webhook.id,
      website_id: bodyOf(await call('POST', 'knowledge-base/sources', { kind: 'page', url: 'https://help.invalid/' }))
        .website.id,
    },
  }
}

/** A question that no agent could answer. */
async function openGap(
  app: TestApp,
  org: TestOrganization,
  asked: { id: string; contact_id: string; inbox_id: string },
): Promise<string> {
  const id = newId()
  await app.database.inTenant({ organizationId: org.id, livemode: false }, async (tx) => {
    await tx.run`insert into knowledge_gaps (id) values (${id})`
    await tx.run`
      insert into gap_questions (id, asked_in, gap_id, contact_id, ticket_id, text, reason)
      values (${newId()}, ${asked.id}, ${id}, ${asked.contact_id}, ${asked.inbox_id}, 'Do you rent bicycles?', 'not_found')`
  })
  return id
}

/** A job that has failed for good. */
export async function failedJob(app: TestApp, data: object = {}): Promise<string> {
  const id = newId()
  await app.database.forSystem().raw(
    `insert into pgboss.job (id, name, state, data, output, retry_count, retry_limit, created_on, completed_on)
     values ($1, 'agent-replies.answer', 'failed', $2, '{"message": "no answer"}', 5, 5, now(), now())`,
    [id, JSON.stringify(data)],
  )
  return id
}

const later = { scheduled_at: '2099-01-01T00:00:00Z', audience_type: 'tags', audience_tags: ['vip'] }

async function approvedTemplate({ call }: TestOrganization, channel_id: string): Promise<string> {
  const { id } = bodyOf(
    await call('POST', 'templates', {
      channel_id,
      name: 'demo_news',
      language: 'en_US',
      category: 'UTILITY',
      components: [{ type: 'BODY', text: 'Hello {{1}}, we are open today.' }],
    }),
  )
  await until(async () => bodyOf(await call('GET', `templates/${id}`)).platform_status === 'APPROVED')
  return id
}

async function completedExport({ call }: TestOrganization, contactId: string): Promise<Reply['body']> {
  const { id } = bodyOf(await call('POST', `contacts/${contactId}/export`))
  await until(async () => bodyOf(await call('GET', `privacy/exports/${id}`)).state === 'completed')
  return { id }
}

/** A message with a file that a customer has just sent, in a conversation that the simulated platform knows. */
async function receivedMessage({ call }: TestOrganization): Promise<Reply['body']> {
  const { chat_message_id } = bodyOf(await call('POST', 'simulator/messages', { from: '+12025550199', type: 'image' }))
  let message: Reply['body']
  await until(async () => {
    const [ticket] = bodyOf(await call('GET', 'inbox/tickets?search=12025550199')).inboxes
    const messages: Reply['body'][] = ticket ? bodyOf(await call('GET', `inbox/messages/${ticket.id}`)).messages : []
    message = messages.find((each) => each.chat_message_id === chat_message_id)
    return Boolean(message?.media_url)
  })
  return message
}
