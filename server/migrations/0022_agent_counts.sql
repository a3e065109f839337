-- An agent list's total is read, not counted, as every list's is.
create table agent_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  agent_type      text not null,
  is_active       text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, agent_type, is_active, shard)
) with (fillfactor = 50);
call protect_tenant_table('agent_counts');

create index agents_by_type on agents (organization_id, livemode, agent_type, id desc);
create index agents_by_activity on agents (organization_id, livemode, is_active, id desc);

create function count_agents() returns trigger language plpgsql as $$
begin
  insert into agent_counts as c (organization_id, livemode, agent_type, is_active, shard, n)
  select organization_id, livemode, agent_type, is_active, counter_shard(),
    case when tg_op = 'INSERT' then count(*) else -count(*) end
  from changed group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (organization_id, livemode, agent_type, is_active, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on agents referencing new table as changed
  for each statement execute function count_agents();
create trigger count_removed after delete on agents referencing old table as changed
  for each statement execute function count_agents();

create function recount_agent() returns trigger language plpgsql as $$
begin
  insert into agent_counts as c (organization_id, livemode, agent_type, is_active, shard, n)
  select organization_id, livemode, agent_type, is_active, counter_shard(), n
  from (values
    (old.organization_id, old.livemode, old.agent_type, old.is_active, -1),
    (new.organization_id, new.livemode, new.agent_type, new.is_active, 1)
  ) moved (organization_id, livemode, agent_type, is_active, n)
  order by 1, 2, 3, 4
  on conflict (organization_id, livemode, agent_type, is_active, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on agents for each row
  when (old.agent_type <> new.agent_type or old.is_active <> new.is_active)
  execute function recount_agent();

-- As the role that sees every organization: an owner that is no superuser sees none.
set role frontdesk_system;
insert into agent_counts
select organization_id, livemode, agent_type, is_active, 0, count(*) from agents group by 1, 2, 3, 4;
reset role;
