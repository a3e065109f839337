-- Sessions know the IP address that signed in or refreshed last, so that people recognize theirs in the list.
alter table sessions add column ip_address text not null default '';
