-- Browsers that signed in before, by a cookie of their own. Guesses from elsewhere neither slow them down nor lock them out.
create table known_devices (
  user_id      uuid not null references users on delete cascade,
  token_hash   bytea not null,
  last_used_at timestamptz(3) not null default now(),
  primary key (user_id, token_hash)
);
grant select, insert, update, delete on known_devices to frontdesk_system;
