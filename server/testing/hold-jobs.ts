import type pg from 'pg'

interface HeldJobs {
  /** Makes the jobs due that were added so far, and those that wait for a retry. */
  runNow(): Promise<void>
}

/** Jobs of this kind that are added from now on wait until the test runs them, however late that is. */
export async function holdJobs(owner: pg.Client, kind: string): Promise<HeldJobs> {
  await owner.query(`
    create function hold_jobs() returns trigger language plpgsql as $$
      begin new.start_after := now() + interval '1 day'; return new; end $$;
    create trigger hold_jobs before insert on pgboss.job for each row
      when (new.name = '${kind}' and new.state = 'created') execute function hold_jobs()`)
  return {
    async runNow() {
      await owner.query(
        `update pgboss.job set start_after = now() - interval '1 second' where name = $1 and state < 'active'`,
        [kind],
      )
    },
  }
}
