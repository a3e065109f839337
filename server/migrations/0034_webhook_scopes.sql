-- The scopes of the credential that last set a webhook's address or events. A webhook receives only event types that one of
-- these scopes opens. Without any scope it receives nothing, so a row that was written without them is safe.
alter table webhooks add column scopes text[] not null default '{}';

-- Existing webhooks did not record their creator. Any key of the same organization and mode with `webhooks:admin` could have
-- created the webhook or changed its address, if the key was valid at some time since the webhook was created. The webhook is
-- limited to the scopes that all such keys share; keys that were revoked since then count too. Keys with `full_access`, and
-- people, may read everything and limit nothing.
set role frontdesk_system;
update webhooks w set scopes = coalesce(
  (
    with candidates as (
      select k.id, k.scopes from keys k
      where k.organization_id = w.organization_id and k.mode = case when w.livemode then 'live' else 'test' end
        and 'webhooks:admin' = any(k.scopes) and not 'full_access' = any(k.scopes)
        and coalesce(k.revoked_at > w.created_at, true) and coalesce(k.expires_at > w.created_at, true)
    )
    select array_agg(shared.scope order by shared.scope) from (
      select scope from candidates cross join lateral (select distinct unnest(scopes) as scope) held
      group by scope having count(*) = (select count(*) from candidates)
    ) shared
  ),
  '{full_access}'
);
reset role;
