-- Numbers that the WhatsApp Business app uses too: conversations copied from the app, and echoes of its messages.
-- Set by the first webhook about the app. Such a number may send 20 messages per second.
alter table channels add column coexistence boolean not null default false;

-- The closed conversation that a contact's messages of the app are copied to: one for each channel, however often and in
-- whatever order the platform sends them.
alter table tickets add column copied_from uuid;

alter table early_updates drop constraint early_updates_kind_check,
  add constraint early_updates_kind_check check (kind in ('status', 'reaction', 'edit', 'identity', 'echo'));

-- Marketing templates of campaigns are sent by the Marketing Messages API.
alter table channels add column marketing_messages boolean not null default false;
