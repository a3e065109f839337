-- National phone numbers are read for the organization's default country, or the one chosen for an import.
alter table organizations add column default_country text;
alter table contact_imports add column default_country text;
grant update (default_country) on organizations to frontdesk_tenant;
drop trigger audited on organizations;
create trigger audited
  after update of name, requires_second_factor, suspended_at, suspended_reason, requests_per_minute, calls_at_once,
    default_country on organizations
  for each row execute function audit_change('organization',
    'name requires_second_factor suspended_at suspended_reason requests_per_minute calls_at_once default_country', 'name');
