-- Adds where a call was transferred to, and what became of it. See ADR 86.
-- {to, status, briefing, language}; null for a call that was not transferred.
alter table calls add column transfer jsonb;
