-- Records when a channel last switched between the Cloud API and the Marketing Messages API. The platform counts the link
-- clicks of each apart: those of a campaign that started before the switch are read from both.
alter table channels add column marketing_messages_changed_at timestamptz(3);
