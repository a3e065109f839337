-- Lets an invitation limit the access of the member that it makes.
-- {livemode, channel_ids, team_ids}: the channels are of that mode. Null for access to all conversations.
alter table invitations add column access jsonb;
drop trigger audited on invitations;
create trigger audited after insert or delete or update of role, accepted_at on invitations
  for each row execute function audit_change('invitation', 'email role access expires_at accepted_at', 'email');
