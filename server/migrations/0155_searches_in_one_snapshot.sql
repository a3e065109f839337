-- A volatile function sees what was committed while the query that calls it runs: a search found a row that the query
-- could not read yet, or read as it was before.
alter function search_contacts stable;
alter function search_tickets stable;
alter function search_templates stable;
alter function search_calls stable;
