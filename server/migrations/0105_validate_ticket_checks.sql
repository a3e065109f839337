-- Checks existing tickets against the constraints of 0075, 0082 and 0091, in a transaction of its own: tickets can be
-- read and written meanwhile.
alter table tickets validate constraint tickets_priority_check;
alter table tickets validate constraint tickets_team_exists;
alter table tickets validate constraint tickets_rating_check;
