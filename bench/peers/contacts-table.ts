import pg, { type ClientConfig } from 'pg'
import { rows } from './peer.ts'

/**
 * The fields of a contact in a plain table, for peers that bring no table of their own: a primary key in order of
 * time, one contact for each phone number, no tenants, no counters, no search.
 */
export async function createContactsTable(connection: ClientConfig): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`
    create table contacts (
      id uuid primary key default uuidv7(), organization_id uuid not null default gen_random_uuid(),
      phone_number text not null unique, name text not null default '', first_name text,
      tags jsonb not null default '[]', notes text not null default '', custom_fields jsonb not null default '{}',
      stage text not null default 'new', ai_handling boolean not null default true,
      last_activity_at timestamptz default now(), opted_out_at timestamptz, blocked_at timestamptz,
      whatsapp_user_id text, username text, time_zone text, source_type text, source_id text, source_headline text,
      source_url text, source_at timestamptz, livemode boolean not null default false,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now()
    );
    insert into contacts (phone_number, name, tags, notes, custom_fields)
    select '+1415' || (5550000 + n), 'Person ' || n, '["vip", "newsletter"]', 'Met at the fair',
      '{"plan": "gold", "city": "Oakland"}'
    from generate_series(1, ${rows}) n`)
  await client.query('vacuum analyze')
  await client.end()
}
