-- Webhooks of a suspended organization are held apart, so that the queue of the others does not walk past them.
alter table kept_hooks drop constraint kept_hooks_outcome_check,
  add constraint kept_hooks_outcome_check check (outcome in ('ignored', 'failed', 'held'));
