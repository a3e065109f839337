-- Documents say where they come from, and a new version waits beside the old one until it can answer.
alter table documents
  -- The kind of file that a reader sees, where it is not `document_type`.
  add column file_kind text,
  -- Null for an upload.
  add column source jsonb,
  -- Counts replacements: a copy of its vectors in memory is out of date when this has changed.
  add column revision integer not null default 0;
create index documents_of_sources on documents (organization_id, livemode, (source ->> 'kind'), id) where source is not null;

-- The next version of a document, at most one. The document takes its file when it has been read.
create table document_replacements (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  document_id     uuid not null,
  id              uuid not null,
  document_type   text not null,
  file_kind       text,
  file_name       text not null,
  file_key        text not null,
  size_bytes      bigint not null,
  sha256          text not null,
  source          jsonb,
  status          text not null default 'processing' check (status in ('processing', 'failed')),
  error           text,
  attempts        integer not null default 0,
  run_id          uuid,
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, document_id),
  foreign key (organization_id, livemode, document_id) references documents on delete cascade
);
call protect_tenant_table('document_replacements');
create trigger remove_file after delete on document_replacements for each row execute function remove_file();
create trigger audited after insert on document_replacements
  for each row when (new.source is null or new.source ->> 'kind' = 'file') execute function audit_change('document_replacement', 'document_id file_name', 'file_name');

-- A question with its answer. It is a document too, with the same id.
create table faqs (
  organization_id uuid not null default current_organization(),
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  question        text not null,
  answer          text not null,
  variants        text[] not null default '{}',
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id),
  foreign key (organization_id, livemode, id) references documents on delete cascade
);
create unique index faqs_question_is_unique on faqs (organization_id, livemode, md5(lower(question)));
call protect_tenant_table('faqs');
create trigger audited after insert or update of question, answer, variants on faqs
  for each row execute function audit_change('faq', 'question answer variants', 'question');

-- As before, with the new columns; the copy of a web page belongs to no website.
grant create on schema public to frontdesk_system;
set role frontdesk_system;
create or replace function promote_document(source uuid, target uuid, target_file_key text, chunk_ids uuid[]) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  organization uuid := current_organization();
begin
  if current_livemode() is not true then raise exception 'only a live caller promotes a document'; end if;
  insert into documents (organization_id, livemode, id, document_type, file_kind, file_name, file_key, size_bytes, sha256,
    source, status, progress, language, chunk_count, lexeme_count, embedding_model)
  select organization, true, target, d.document_type, d.file_kind, d.file_name, target_file_key, d.size_bytes, d.sha256,
    d.source - 'website_id', d.status, d.progress, d.language, d.chunk_count, d.lexeme_count, d.embedding_model
  from documents d
  where d.organization_id = organization and not d.livemode and d.id = promote_document.source and d.status = 'ready'
    and d.chunk_count = cardinality(chunk_ids)
  for share
  on conflict do nothing;
  if not found then return false; end if;
  insert into faqs (organization_id, livemode, id, question, answer, variants)
  select organization, true, target, f.question, f.answer, f.variants
  from faqs f where f.organization_id = organization and not f.livemode and f.id = promote_document.source;
  insert into chunks (organization_id, livemode, document_id, ordinal, id, page, start_offset, end_offset, heading, text,
    child_lengths)
  select organization, true, target, ordinal, chunk_ids[ordinal + 1], page, start_offset, end_offset, heading, text,
    child_lengths
  from chunks where organization_id = organization and not livemode and document_id = promote_document.source;
  insert into chunk_vectors (organization_id, livemode, document_id, model, ordinal, vectors)
  select organization, true, target, model, ordinal, vectors
  from chunk_vectors where organization_id = organization and not livemode and document_id = promote_document.source;
  insert into document_lexemes (organization_id, livemode, lexeme, document_id, part, postings)
  select organization, true, lexeme, target, part, postings
  from document_lexemes where organization_id = organization and not livemode and document_id = promote_document.source;
  return true;
end $$;
reset role;
revoke create on schema public from frontdesk_system;
