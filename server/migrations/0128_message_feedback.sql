-- Lets members rate what agents answered.
-- {rating, reason, member_id, rated_at}; null for a message that was not rated.
alter table messages add column feedback jsonb;
