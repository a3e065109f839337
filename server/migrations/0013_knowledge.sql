-- A document is an uploaded file and what was read from it. Its chunks, lexemes and vectors are written little by little
-- while it is `processing`; searches look at `ready` ones only, so that nobody finds half a document.
create table documents (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  document_type   text not null check (document_type in ('pdf', 'docx', 'txt')),
  file_name       text not null,
  file_key        text not null,
  size_bytes      bigint not null,
  sha256          text not null,
  status          text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
  error           text,
  progress        real not null default 0,
  -- A text search configuration of PostgreSQL.
  language        text not null default 'simple',
  chunk_count     integer not null default 0,
  -- Lexemes of all its chunks, repeated ones included.
  lexeme_count    bigint not null default 0,
  -- Whose vectors answer for it; null while it has none.
  embedding_model text,
  -- Starts since the last progress: a file that ends its worker each time must not do so for ever.
  attempts        integer not null default 0,
  -- The run that works on it; one that was given up and still lives finds another's here, and stops.
  run_id          uuid,
  uploaded_at     timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
) with (fillfactor = 80);
create unique index documents_file_is_unique on documents (organization_id, livemode, sha256, file_name);
create index documents_processing on documents (updated_at) where status = 'processing';
call protect_tenant_table('documents');
create trigger remove_file after delete on documents for each row execute function remove_file();

create table chunks (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  document_id     uuid not null,
  ordinal         integer not null,
  id              uuid not null,
  page            integer,
  -- In characters of the extracted text.
  start_offset    integer not null,
  end_offset      integer not null,
  -- The headings above it, outermost first.
  heading         text not null default '',
  text            text not null,
  -- How many characters each of its children has: the parts that are embedded.
  child_lengths   integer[] not null default '{}',
  primary key (organization_id, livemode, document_id, ordinal),
  foreign key (organization_id, livemode, document_id) references documents on delete cascade
);
call protect_tenant_table('chunks');

-- The vectors of a chunk's children, one behind the other, in signed bytes.
create table chunk_vectors (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  document_id     uuid not null,
  model           text not null,
  ordinal         integer not null,
  vectors         bytea not null,
  primary key (organization_id, livemode, document_id, model, ordinal),
  foreign key (organization_id, livemode, document_id) references documents on delete cascade
);
alter table chunk_vectors alter column vectors set storage external;
call protect_tenant_table('chunk_vectors');

-- Which chunks of a document have a lexeme: a row for each lexeme and 1,024 chunks. A posting is a chunk, how often it
-- has the lexeme and how many lexemes it has in all, packed into one integer: `number << 16 | frequency << 10 | length`.
create table document_lexemes (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  lexeme          text collate "C" not null,
  document_id     uuid not null,
  part            integer not null,
  postings        integer[] not null default '{}',
  primary key (organization_id, livemode, lexeme, document_id, part),
  foreign key (organization_id, livemode, document_id) references documents on delete cascade
);
create index document_lexemes_of_document on document_lexemes (organization_id, livemode, document_id);
call protect_tenant_table('document_lexemes');

-- Changes with everything that a search could see, so that a copy in memory knows when it is out of date.
create table knowledge_versions (
  organization_id uuid not null,
  livemode        boolean not null,
  version         bigint not null,
  primary key (organization_id, livemode)
);
call protect_tenant_table('knowledge_versions');

-- What the ready documents add up to, by their language and by the model of their vectors (empty where they have none):
-- the ranking needs it, and it tells in which languages and by which models a question is to be read.
create table knowledge_totals (
  organization_id uuid not null,
  livemode        boolean not null,
  language        text not null,
  embedding_model text not null,
  chunk_count     bigint not null,
  lexeme_count    bigint not null,
  primary key (organization_id, livemode, language, embedding_model)
) with (fillfactor = 50);
call protect_tenant_table('knowledge_totals');

create procedure add_to_knowledge(document documents, sign integer) language plpgsql as $$
begin
  if document.status <> 'ready' then return; end if;
  insert into knowledge_totals as t (organization_id, livemode, language, embedding_model, chunk_count, lexeme_count)
  values (document.organization_id, document.livemode, document.language, coalesce(document.embedding_model, ''),
    sign * document.chunk_count, sign * document.lexeme_count)
  on conflict (organization_id, livemode, language, embedding_model) do update
  set chunk_count = t.chunk_count + excluded.chunk_count, lexeme_count = t.lexeme_count + excluded.lexeme_count;
end $$;

create function note_knowledge() returns trigger language plpgsql as $$
declare
  changed documents := coalesce(new, old);
begin
  -- The version goes first and locks the others out: whoever changes the same knowledge waits here, never further down.
  insert into knowledge_versions as v (organization_id, livemode, version)
  values (changed.organization_id, changed.livemode, 1)
  on conflict (organization_id, livemode) do update set version = v.version + 1;
  if tg_op <> 'INSERT' then call add_to_knowledge(old, -1); end if;
  if tg_op <> 'DELETE' then call add_to_knowledge(new, 1); end if;
  return null;
end $$;
create trigger note_added after insert on documents for each row
  when (new.status = 'ready') execute function note_knowledge();
create trigger note_removed after delete on documents for each row
  when (old.status = 'ready') execute function note_knowledge();
create trigger note_changed after update on documents for each row
  when ((old.status = 'ready' or new.status = 'ready')
    and (old.status, old.language, old.chunk_count, old.lexeme_count, old.embedding_model)
      is distinct from (new.status, new.language, new.chunk_count, new.lexeme_count, new.embedding_model))
  execute function note_knowledge();

-- Copies a ready document of test mode into live, for a caller who is in live. A tenant sees one mode at a time, so this
-- runs as the system role and names the caller's organization itself; see search_contacts for its path.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create function promote_document(source uuid, target uuid, target_file_key text, chunk_ids uuid[]) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  organization uuid := current_organization();
begin
  if current_livemode() is not true then raise exception 'only a live caller promotes a document'; end if;
  insert into documents (organization_id, livemode, id, document_type, file_name, file_key, size_bytes, sha256, status,
    progress, language, chunk_count, lexeme_count, embedding_model)
  select organization, true, target, document_type, file_name, target_file_key, size_bytes, sha256, status, progress,
    language, chunk_count, lexeme_count, embedding_model
  from documents
  where organization_id = organization and not livemode and id = source and status = 'ready'
    and chunk_count = cardinality(chunk_ids)
  for share
  on conflict do nothing;
  if not found then return false; end if;
  insert into chunks (organization_id, livemode, document_id, ordinal, id, page, start_offset, end_offset, heading, text,
    child_lengths)
  select organization, true, target, ordinal, chunk_ids[ordinal + 1], page, start_offset, end_offset, heading, text,
    child_lengths
  from chunks where organization_id = organization and not livemode and document_id = source;
  insert into chunk_vectors (organization_id, livemode, document_id, model, ordinal, vectors)
  select organization, true, target, model, ordinal, vectors
  from chunk_vectors where organization_id = organization and not livemode and document_id = source;
  insert into document_lexemes (organization_id, livemode, lexeme, document_id, part, postings)
  select organization, true, lexeme, target, part, postings
  from document_lexemes where organization_id = organization and not livemode and document_id = source;
  return true;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
revoke execute on function promote_document from public;
set role frontdesk_system;
grant execute on function promote_document to frontdesk_tenant;
reset role;
