-- A refresh token is spent by its use and replaced. Spent ones are kept for as long as their session, because one that comes
-- again was copied: then the session ends, and with it every token that descends from the first.
create table spent_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  -- With the token itself, what the next one is derived from: so two tabs that spend it at once get the same next one.
  seed       bytea not null,
  spent_at   timestamptz(3) not null default now()
);
create index spent_refresh_tokens_of_session on spent_refresh_tokens (session_id);
grant select, insert, update, delete on spent_refresh_tokens to frontdesk_system;
