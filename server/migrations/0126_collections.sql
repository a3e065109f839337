-- Adds collections of documents, which agents and searches can name.
create table collections (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  id              uuid not null,
  name            text not null check (name <> ''),
  description     text not null default '',
  created_at      timestamptz(3) not null default now(),
  updated_at      timestamptz(3) not null default now(),
  primary key (organization_id, livemode, id)
);
create unique index collections_name_is_unique on collections (organization_id, livemode, lower(name));
call protect_tenant_table('collections');
create trigger audited after insert or delete or update of name, description on collections
  for each row execute function audit_change('collection', 'name description', 'name');

create table collection_documents (
  organization_id uuid not null default current_organization() references organizations on delete cascade,
  livemode        boolean not null default current_livemode(),
  collection_id   uuid not null,
  document_id     uuid not null,
  primary key (organization_id, livemode, collection_id, document_id),
  constraint collection_documents_collection_exists
    foreign key (organization_id, livemode, collection_id) references collections on delete cascade,
  constraint collection_documents_document_exists
    foreign key (organization_id, livemode, document_id) references documents on delete cascade
);
create index collection_documents_of_document on collection_documents (organization_id, livemode, document_id);
call protect_tenant_table('collection_documents');
