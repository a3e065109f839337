-- Which organization a live `phone_number_id` belongs to. No tenant may look: a number tells nothing about who holds it. The
-- functions below act for the calling organization.
create table chat_number_claims (
  phone_number_id       text primary key,
  owner_organization_id uuid not null references organizations on delete cascade,
  -- The channel that has the number; null while the number is only reserved.
  channel_id            uuid,
  -- When the platform confirmed the number for this organization. A claim without proof yields to one with proof.
  verified_at           timestamptz(3),
  -- Set when the channel is deleted or takes another number: until then no other organization may claim it.
  reserved_until        timestamptz(3),
  constraint claims_are_held_or_reserved check ((channel_id is null) = (reserved_until is not null))
);
grant select, insert, update, delete on chat_number_claims to frontdesk_system;

alter table channels
  add column status text not null default 'active',
  -- Why it is not active, for people.
  add column status_reason text,
  -- Names one series of attempts to confirm the number: a result that belongs to another series is dropped.
  add column verification_id uuid,
  add constraint channels_status_is_known check (status in ('active', 'pending_verification', 'verification_failed'));

grant create on schema public to frontdesk_system;
set role frontdesk_system;

-- Gives the number to a channel of the calling organization. False when another organization holds it: with proof, by a
-- reservation, or without proof where the caller has none either.
create function claim_chat_number(number text, channel uuid, is_proven boolean) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if not current_livemode() then raise exception 'numbers are claimed in live mode only'; end if;
  insert into chat_number_claims as c (phone_number_id, owner_organization_id, channel_id, verified_at)
  values (number, current_organization(), channel, case when is_proven then now() end)
  on conflict (phone_number_id) do update set
    owner_organization_id = excluded.owner_organization_id, channel_id = excluded.channel_id, reserved_until = null,
    verified_at = coalesce(excluded.verified_at,
      case when c.owner_organization_id = excluded.owner_organization_id then c.verified_at end)
  where c.owner_organization_id = excluded.owner_organization_id or c.reserved_until <= now()
    or (c.verified_at is null and excluded.verified_at is not null);
  return found;
end $$;

-- The channel lets go of the number. What was proven stays reserved for the organization; what was not is free at once.
create function release_chat_number(number text, channel uuid) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  delete from chat_number_claims c where c.phone_number_id = number and c.owner_organization_id = current_organization()
    and c.channel_id = channel and c.verified_at is null;
  update chat_number_claims c set channel_id = null, reserved_until = now() + interval '30 days'
  where c.phone_number_id = number and c.owner_organization_id = current_organization() and c.channel_id = channel;
end $$;

-- Whether another organization holds the number with proof or by a reservation; a claim without proof may be taken over.
create function is_chat_number_taken(number text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from chat_number_claims c where c.phone_number_id = number
    and c.owner_organization_id <> current_organization() and (c.reserved_until is null or c.reserved_until > now())
    and c.verified_at is not null)
$$;

-- Channels from before there were claims. Of several that name one number, the one that received most recently keeps it;
-- where none received anything, the one that named it first. It goes on receiving without being asked for proof, because
-- its token may have expired since and its messages must not be lost by an upgrade.
insert into chat_number_claims (phone_number_id, owner_organization_id, channel_id, verified_at)
select distinct on (c.chat ->> 'phone_number_id') c.chat ->> 'phone_number_id', c.organization_id, c.id, now()
from channels c
  left join lateral (
    select max(w.last_inbound_at) as last_inbound_at from chat_windows w
    where w.organization_id = c.organization_id and w.livemode and w.channel_id = c.id
  ) heard on true
where c.livemode and c.deleted_at is null and c.chat is not null
order by c.chat ->> 'phone_number_id', heard.last_inbound_at desc nulls last, c.chat_claimed_at, c.id;

update channels c set status = 'verification_failed',
  status_reason = 'Another organization of this installation uses this number'
where c.livemode and c.deleted_at is null and c.chat is not null
  and not exists (select from chat_number_claims claim where claim.channel_id = c.id);

reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function claim_chat_number, release_chat_number, is_chat_number_taken from public;
set role frontdesk_system;
grant execute on function claim_chat_number, release_chat_number, is_chat_number_taken to frontdesk_tenant;
reset role;
