-- A row of removed_files is due from `created_at` on. Whoever is about to write a file dates it ahead, so that the file is
-- removed if its owner never comes to exist; whoever takes it up dates it ahead too, so that nobody else does meanwhile.
create index removed_files_due on removed_files (created_at);
