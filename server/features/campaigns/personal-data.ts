import type { PersonalTable } from '../../platform/personal-data.ts'
import { sql } from '../../platform/sql.ts'
import { withoutRecipient } from './retention-queries.ts'

export const campaignData: PersonalTable[] = [
  {
    table: 'deliveries',
    rows: ({ id, addresses }) => sql`(contact_id = ${id}
      or (contact_id is null and phone_number <> '' and phone_number = any(${addresses}::text[])))`,
    export: {
      columns: sql`id, campaign_id, phone_number, whatsapp_user_id, time_zone, variables, status, code, reason, accepted_at,
        delivered_at, read_at, replied_at, tapped_buttons, chat_message_id, created_at`,
    },
    // The figures of the campaign stay. What is pending is skipped by the last check before sending.
    erase: withoutRecipient,
  },
  { table: 'campaigns', exempt: 'lists ids of contacts, which say nothing once the contact is gone' },
]
