-- Keeps how often the links of a campaign's message were clicked, as far as the platform reports it.
alter table campaigns
  -- By day (UTC) and label: {"2026-11-16": {"Shop now": {"clicks": 12, "people": 9}}}.
  add column link_clicks jsonb not null default '{}',
  -- When the platform was last asked, and why it reported nothing.
  add column link_clicks_at timestamptz(3),
  add column link_clicks_error text,
  -- When to ask next; null if the message has no link, or if the platform no longer counts.
  add column link_clicks_due_at timestamptz(3);
create index campaigns_link_clicks_due on campaigns (link_clicks_due_at) where link_clicks_due_at is not null;
