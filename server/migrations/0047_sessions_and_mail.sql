-- Sessions know their IP address, and invitations whether they were emailed.
-- The address that signed in or refreshed last, so that people recognize their sessions in a list.
alter table sessions add column ip_address text not null default '';

-- Null where no email is sent. `unknown` also while one is in flight.
alter table invitations add column mail_status text check (mail_status in ('queued', 'sent', 'failed', 'unknown'));
