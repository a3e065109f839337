-- Records which person becomes an operator of the installation or stops being one.
-- That concerns no organization.
alter table operator_actions
  alter column operated_organization_id drop not null,
  alter column organization_name drop not null;

-- Operators are named at the command line, which has no account: the name is that of the user of the machine.
create function audit_operator() returns trigger language plpgsql as $$
declare
  operator uuid := case tg_op when 'INSERT' then new.user_id else old.user_id end;
begin
  insert into operator_actions (action, actor_name, object_type, object_id, object_name)
  values (case tg_op when 'INSERT' then 'operator.created' else 'operator.deleted' end,
    nullif(current_setting('frontdesk.command_line_user', true), ''), 'operator', operator,
    (select email from users where id = operator));
  return null;
end $$;
create trigger audited after insert or delete on operators for each row execute function audit_operator();
