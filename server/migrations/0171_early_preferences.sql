-- Preferences of people who are not known yet wait, like changes of their identities.
alter table early_updates drop constraint early_updates_kind_check,
  add constraint early_updates_kind_check check (kind in ('status', 'reaction', 'edit', 'identity', 'echo', 'preference'));
