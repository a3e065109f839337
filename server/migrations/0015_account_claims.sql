-- Since when a channel has its `business_account_id`: news of an account goes to the first organization that named it, and
-- a channel that was there before must not become the first by changing its account.
alter table channels add column chat_account_claimed_at timestamptz(3);
set role frontdesk_system;
update channels set chat_account_claimed_at = chat_claimed_at;
reset role;
