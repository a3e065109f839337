-- Agents that were configured before they could choose documents read all of them.
set role frontdesk_system;
update agents set config = jsonb_set(config, '{knowledge}', '{"all": true, "document_ids": [], "collection_ids": []}')
  where not config ? 'knowledge';
update agent_versions set config = jsonb_set(config, '{knowledge}', '{"all": true, "document_ids": [], "collection_ids": []}')
  where not config ? 'knowledge';
reset role;
