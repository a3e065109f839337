import { sql } from '../../platform/sql.ts'

/** Whether it is quiet now for the member of the preferences `p`, which may be missing. */
export const isQuiet = sql`coalesce(after_quiet_hours(now(), coalesce(known_time_zone(p.time_zone),
  (select known_time_zone(o.time_zone) from organizations o where o.id = p.organization_id), 'UTC'),
  p.quiet_from, p.quiet_until) > now(), false)`
