-- When the conversation of a call began. The duration of a call whose process died counts from here.
alter table calls add column audio_at timestamptz(3);

-- `told_late` said that the end was learned by asking the carrier, not how the call ended.
set role frontdesk_system;
update calls set ended_reason = case status when 'busy' then 'busy' when 'no-answer' then 'no_answer'
    when 'completed' then 'caller_hung_up' else case telephony_status when 'canceled' then 'canceled' else 'carrier_failed' end end
  where ended_reason = 'told_late';
reset role;
