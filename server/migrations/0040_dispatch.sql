-- All dispatch workers share one table of leases. Claims carry a lease's id; they are void once its row is gone.
create table worker_leases (
  id         uuid primary key,
  -- What the worker dispatches, for operators.
  name       text not null,
  expires_at timestamptz not null
);
grant select, insert, update, delete on worker_leases to frontdesk_system;

drop table sending_workers;
drop table webhook_workers;

alter table webhook_lanes rename to endpoint_leases;
alter index webhook_lanes_pkey rename to endpoint_leases_pkey;
alter index webhook_lanes_due rename to endpoint_leases_due;
alter index webhook_lanes_held rename to endpoint_leases_held;
alter table endpoint_leases rename constraint webhook_lanes_webhook_exists to endpoint_leases_webhook_exists;

-- Set when the request may have left the worker: from then on only the platform knows.
alter table deliveries rename column handed_over to in_flight;
