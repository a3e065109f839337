-- What the columns of an import's file are read as: by whoever sent it, and as its header was understood.
alter table contact_imports add renamed_columns jsonb not null default '{}', add columns jsonb not null default '[]';
