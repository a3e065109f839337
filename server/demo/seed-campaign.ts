import { newPlatformId, type Template } from '../../simulator/templates.ts'
import { newMessageId } from '../../simulator/wamid.ts'
import type { TenantTx } from '../platform/database.ts'
import { idAt } from '../platform/ids.ts'
import { campaignStart, campaignTag, campaignText } from './demo-data.ts'
import type { DemoDelivery } from './demo-rows.ts'

interface Channel {
  id: string
  number_id: string
  account_id: string
}

interface Given {
  deliveries: DemoDelivery[]
  /** Who created the campaign. */
  memberId: string | null
  now: Date
}

const bodyOf = (text: string) => [{ type: 'BODY', text, example: { body_text: [['Ada']] } }]

/** Approved templates, by name. */
const texts = {
  checkup_reminder: { category: 'MARKETING', text: campaignText },
  appointment_reminder: {
    category: 'UTILITY',
    text: 'Hello {{1}}, this is a reminder of your appointment tomorrow. Reply to this message if you cannot come.',
  },
}
type Name = keyof typeof texts

/** Two approved templates, and a completed campaign with the first one. Returns the templates as the platform has them. */
export async function seedCampaign(
  tx: TenantTx,
  channel: Channel,
  { deliveries, memberId, now }: Given,
): Promise<Omit<Template, 'account'>[]> {
  const started = campaignStart(now)
  const approved = new Date(started.getTime() - 24 * 3600 * 1000)
  const templates = (Object.keys(texts) as Name[]).map((name) => ({
    id: newPlatformId(),
    name,
    language: 'en_US',
    category: texts[name].category,
    components: bodyOf(texts[name].text),
    parameter_format: 'POSITIONAL',
    status: 'APPROVED',
    quality: { score: 'GREEN', date: approved.getTime() },
    rejected_reason: 'NONE',
    strikes: 0,
    edits: [],
  }))
  const rows = templates.map((template) => ({ ...template, row_id: idAt(approved) }))
  await tx.run`
    insert into templates (id, channel_id, account_id, business_account_id, remote_template_id, name, language, category,
      status, platform_status, components, quality_score, registration, next_attempt_at, registered_at, created_at,
      updated_at)
    select row_id, ${channel.id}, ${channel.account_id}, ${channel.account_id}, id, name, language, category, status,
      status, components, 'GREEN', 'registered', null, ${approved}, ${approved}, ${approved}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as demo
      (row_id uuid, id text, name text, language text, category text, status text, components jsonb)`

  const campaignId = idAt(started)
  const [template] = rows
  const ended = new Date(deliveries.at(-1)?.sent_at ?? started)
  await tx.run`
    insert into campaigns (id, name, status, channel_id, template_id, template_variables, audience_type, audience_tags,
      started_at, template_name, template_language, template_category, template_components, frozen_at, completed_at,
      created_by_type, created_by_id, created_at, updated_at)
    values (${campaignId}, 'Six-month check-up', 'completed', ${channel.id}, ${template?.row_id},
      ${{ '1': '{{contact.first_name}}' }}, 'tags', ${[campaignTag]}::text[], ${started}, ${template?.name},
      ${template?.language}, ${template?.category}, ${JSON.stringify(template?.components)}::jsonb, ${started}, ${ended},
      'user', ${memberId}, ${started}, ${ended})`
  const sent = deliveries.map((delivery, n) => ({
    ...delivery,
    send_no: n + 1,
    chat_message_id: newMessageId('outbound', channel.number_id, Date.parse(delivery.sent_at)),
    payload: {
      campaign_id: campaignId,
      delivery_id: delivery.id,
      template: { name: template?.name, language: template?.language },
      variables: { '1': delivery.first_name },
    },
  }))
  const given = JSON.stringify(sent)
  await tx.run`
    insert into messages (id, contact_id, channel_id, chat_message_id, direction, message_type, body, status, payload,
      actor_type, actor_id, accepted_at, created_at, updated_at)
    select message_id, contact_id, ${channel.id}, chat_message_id, 'outbound', 'text', body, status, payload, 'user',
      ${memberId}, sent_at, sent_at, sent_at
    from jsonb_to_recordset(${given}::jsonb) as demo (message_id uuid, contact_id uuid, chat_message_id text, body text,
      status text, payload jsonb, sent_at timestamptz)
    where status <> 'failed'`
  await tx.run`
    insert into deliveries (id, campaign_id, contact_id, phone_number, variables, status, code, reason, attempts,
      accepted_at, delivered_at, read_at, chat_message_id, message_id, send_no, created_at, updated_at)
    select id, ${campaignId}, contact_id, phone_number, jsonb_build_object('1', first_name), status,
      case when is_failed then '131026' end, case when is_failed then 'Message undeliverable' end, 1,
      case when not is_failed then sent_at end, case when not is_failed then sent_at + interval '2 seconds' end,
      case when status = 'read' then sent_at + interval '40 minutes' end,
      case when not is_failed then chat_message_id end, case when not is_failed then message_id end, send_no,
      ${started}, sent_at
    from (select *, status = 'failed' as is_failed from jsonb_to_recordset(${given}::jsonb) as demo (id uuid,
      message_id uuid, contact_id uuid, phone_number text, first_name text, status text, chat_message_id text,
      send_no integer, sent_at timestamptz)) demo`
  return templates
}
