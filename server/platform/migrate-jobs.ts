import { isDeepStrictEqual } from 'node:util'
import type { ClientConfig } from 'pg'
import type { PgBoss } from 'pg-boss'
import { serviceClient } from './connection.ts'
import { createBoss, type JobKind, jobSchema } from './jobs.ts'

/** Installs or upgrades the queue's schema and its queues, as the database's owner; runs under the migration lock. */
export async function migrateJobs(connection: ClientConfig, kinds: JobKind[]): Promise<void> {
  const installer = createBoss(connection, { migrate: true, supervise: false, schedule: false, useListenNotify: false })
  installer.on('error', () => {})
  await installer.start()
  const existing = new Map((await installer.getQueues()).map((queue) => [queue.name, queue]))
  for (const { name, queue } of kinds) {
    const options = { ...queue, notify: true }
    const found = existing.get(name)
    if (!found) await installer.createQueue(name, options)
    else if (!isDeepStrictEqual({ ...found, ...options }, found)) await installer.updateQueue(name, options)
  }
  const insertion = await insertionOf(installer, (kinds[0] as JobKind).name)
  await installer.stop({ graceful: false })
  const client = serviceClient(connection, 'frontdesk migrate')
  await client.connect()
  try {
    // Finished jobs stay for a week. Operators look at the others, over all queues.
    await client.query(`
      create index if not exists job_unfinished on ${jobSchema}.job (created_on) where state <= 'active' or state = 'failed';
      grant usage on schema ${jobSchema} to frontdesk_system;
      grant select, insert on all tables in schema ${jobSchema} to frontdesk_system;
      grant execute on all functions in schema ${jobSchema} to frontdesk_system;
      revoke all on schema ${jobSchema} from frontdesk_tenant;
      revoke all on all tables in schema ${jobSchema} from frontdesk_tenant;
      revoke all on all functions in schema ${jobSchema} from frontdesk_tenant;
      ${enqueueOwnJob(insertion)}`)
  } finally {
    await client.end()
  }
}

/** The statement with which pg-boss adds jobs: JSON as `$1`, and here the queue's name as `$2`. */
async function insertionOf(queue: PgBoss, name: string): Promise<string> {
  let statement = ''
  const executeSql = async (text: string) => {
    statement = text
    return { rows: [{ id: '' }] }
  }
  await queue.send(name, {}, { db: { executeSql } as never })
  return statement.replaceAll(`'${name}'`, '$2')
}

/**
 * A tenant has no privileges on the queue's tables. This function runs as their owner and adds one job whose payload
 * names the caller's own organization and mode. The queue, not the caller, decides how the job is retried and kept.
 */
const enqueueOwnJob = (insertion: string) => `
  create or replace function enqueue_own_job(text, text) returns setof uuid
    language plpgsql security definer set search_path = pg_catalog, pg_temp as $function$
  declare
    job jsonb := $1::jsonb -> 0;
    payload jsonb := job -> 'data';
    own text := public.current_organization();
    -- Features write it either way; where a payload has both, both must be the caller's.
    named text[] := array_remove(array[payload ->> 'organization_id', payload ->> 'organizationId'], null);
  begin
    if own is null or named = '{}' or own <> any (named) or payload -> 'livemode' is distinct from to_jsonb(public.current_livemode())
      or left(job ->> 'groupId', length(own)) <> own
    then
      raise insufficient_privilege using message = 'a tenant may only add jobs of its own organization and mode';
    end if;
    $1 := jsonb_build_array(jsonb_build_object('data', payload, 'startAfter', job -> 'startAfter',
      'priority', least((job ->> 'priority')::integer, 0), 'singletonKey', job -> 'singletonKey', 'groupId', job -> 'groupId'));
    return query ${insertion};
  end $function$;
  revoke all on function enqueue_own_job(text, text) from public;
  grant execute on function enqueue_own_job(text, text) to frontdesk_tenant`
