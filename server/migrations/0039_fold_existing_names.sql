-- Writes only contacts whose names have something to fold, by the trigger of the migration before; tickets keep a copy of
-- the text, which a trigger on contacts brings up to date. Takes no lock on the tables: requests go on meanwhile, and only
-- those that change one of these contacts wait. Runs as the role that sees every organization: an owner that is no
-- superuser sees none.
set role frontdesk_system;
update contacts set name = name where search_text <> fold_text(name) || ' ' || phone_number;
reset role;
