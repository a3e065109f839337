-- Tasks and their counters.
create table tasks (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  contact_id      uuid not null,
  title           text not null,
  description     text not null default '',
  due_at          timestamptz(3),
  -- In UTC. Overdue tasks are a range of due times in the order of their ids, which no index has: this one has the
  -- newest of each month.
  due_month       date generated always as ((date_trunc('month', due_at at time zone 'UTC'))::date) stored,
  assignee_id     uuid,
  status          text not null default 'pending' check (status in ('pending', 'completed', 'cancelled')),
  created_by_type text not null check (created_by_type in ('user', 'ai', 'system')),
  created_by_id   uuid,
  completed_at    timestamptz(3),
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  -- It includes what filters ask for, as the indexes below do: a filtered page is found in an index alone.
  primary key (organization_id, livemode, id) include (status, due_at),
  constraint tasks_contact_exists
    foreign key (organization_id, livemode, contact_id) references contacts on delete cascade,
  constraint tasks_assignee_is_a_member
    foreign key (organization_id, assignee_id) references members on delete set null (assignee_id)
);
create index tasks_of_contact on tasks (organization_id, livemode, contact_id, id desc)
  include (status, due_at, assignee_id);
create index tasks_by_status on tasks (organization_id, livemode, status, id desc) include (due_at);
create index tasks_of_assignee on tasks (organization_id, livemode, assignee_id, id desc)
  include (status, due_at) where assignee_id is not null;
create index tasks_by_due_time on tasks (organization_id, livemode, due_at, id desc)
  include (status, assignee_id) where due_at is not null;
create index tasks_pending_by_due_month on tasks (organization_id, livemode, due_month, id desc)
  include (due_at) where status = 'pending' and due_month is not null;
call protect_tenant_table('tasks');

create table task_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  status          text not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, status, shard)
) with (fillfactor = 50);
call protect_tenant_table('task_counts');

-- Pending tasks by the month, the day and the hour they are due, in UTC: what is overdue now is the months before this
-- one, the days of this month before today, the hours of today before this one, and a short look at the tasks due
-- within this hour.
create table pending_task_counts (
  organization_id uuid not null,
  livemode        boolean not null,
  grain           text not null check (grain in ('month', 'day', 'hour')),
  due             timestamptz(0) not null,
  shard           smallint not null,
  n               bigint not null,
  primary key (organization_id, livemode, grain, due, shard)
) with (fillfactor = 70);
call protect_tenant_table('pending_task_counts');

create function count_tasks() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'INSERT' then 1 else -1 end;
begin
  insert into task_counts as c (organization_id, livemode, status, shard, n)
  select organization_id, livemode, status, counter_shard(), sign * count(*)
  from changed group by 1, 2, 3 order by 1, 2, 3
  on conflict (organization_id, livemode, status, shard) do update set n = c.n + excluded.n;
  insert into pending_task_counts as c (organization_id, livemode, grain, due, shard, n)
  select organization_id, livemode, grain, date_trunc(grain, due_at, 'UTC'), counter_shard(), sign * count(*)
  from changed, unnest(array['month', 'day', 'hour']) grain
  where status = 'pending' and due_at is not null
  group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (organization_id, livemode, grain, due, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger count_added after insert on tasks referencing new table as changed
  for each statement execute function count_tasks();
create trigger count_removed after delete on tasks referencing old table as changed
  for each statement execute function count_tasks();

create function recount_task() returns trigger language plpgsql as $$
begin
  if old.status <> new.status then
    insert into task_counts as c (organization_id, livemode, status, shard, n)
    select new.organization_id, new.livemode, status, counter_shard(), n
    from (values (old.status, -1), (new.status, 1)) change (status, n) order by status
    on conflict (organization_id, livemode, status, shard) do update set n = c.n + excluded.n;
  end if;
  insert into pending_task_counts as c (organization_id, livemode, grain, due, shard, n)
  select new.organization_id, new.livemode, grain, date_trunc(grain, due_at, 'UTC'), counter_shard(), sum(n)
  from (values (old.status, old.due_at, -1), (new.status, new.due_at, 1)) change (status, due_at, n),
    unnest(array['month', 'day', 'hour']) grain
  where status = 'pending' and due_at is not null
  group by 3, 4 having sum(n) <> 0 order by 3, 4
  on conflict (organization_id, livemode, grain, due, shard) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger recount after update on tasks for each row
  when (old.status <> new.status or old.due_at is distinct from new.due_at)
  execute function recount_task();
