-- In batches: hides one-time codes in messages, timelines and deliveries of before codes were hidden. Events keep theirs
-- until their retention has passed.
do $$
declare
  last_organization uuid := '00000000-0000-0000-0000-000000000000';
  last_livemode boolean := false;
  last_id uuid := '00000000-0000-0000-0000-000000000000';
  campaign record;
begin
  set role frontdesk_system;
  loop
    with batch as materialized (
      select organization_id, livemode, id, contact_id, direction, payload from messages
      where (organization_id, livemode, id) > (last_organization, last_livemode, last_id)
      order by organization_id, livemode, id limit 5000
    ), coded as materialized (
      select b.organization_id, b.livemode, b.id, b.contact_id, code.pattern,
        jsonb_set(b.payload, '{variables}', code.hidden) as payload
      from batch b cross join lateral (
        select '(' || string_agg(regexp_replace(value, '(\W)', '\\\1', 'g'), '|') || ')' as pattern,
          jsonb_object_agg(key, '••••••') as hidden
        from jsonb_each_text(b.payload -> 'variables') where value <> ''
        having bool_or(value <> '••••••')) code
      where b.direction = 'outbound' and jsonb_typeof(b.payload -> 'variables') = 'object' and (
        exists (
          select from templates t where t.organization_id = b.organization_id and t.livemode = b.livemode
            and t.category = 'AUTHENTICATION' and t.name = b.payload -> 'template' ->> 'name'
            and t.language = b.payload -> 'template' ->> 'language')
        or exists (
          select from campaigns k where k.organization_id = b.organization_id and k.livemode = b.livemode
            and k.template_category = 'AUTHENTICATION' and k.id = (b.payload ->> 'campaign_id')::uuid))
    ), hidden_messages as (
      update messages m set body = regexp_replace(m.body, coded.pattern, '••••••', 'g'), payload = coded.payload
      from coded where m.organization_id = coded.organization_id and m.livemode = coded.livemode and m.id = coded.id
    ), hidden_activities as (
      update activities a set payload = jsonb_set(a.payload, '{preview}',
        to_jsonb(regexp_replace(a.payload ->> 'preview', coded.pattern, '••••••', 'g')))
      from coded where a.organization_id = coded.organization_id and a.livemode = coded.livemode
        and a.contact_id = coded.contact_id and a.type = 'message_outbound' and a.payload ->> 'message_id' = coded.id::text
        and a.payload ->> 'preview' is not null
    )
    select organization_id, livemode, id into last_organization, last_livemode, last_id from batch
    order by organization_id desc, livemode desc, id desc limit 1;
    exit when not found;
    commit;
  end loop;
  for campaign in select organization_id, livemode, id from campaigns where template_category = 'AUTHENTICATION' loop
    update deliveries d set variables = (select jsonb_object_agg(key, '••••••') from jsonb_each(d.variables))
    where d.organization_id = campaign.organization_id and d.livemode = campaign.livemode and d.campaign_id = campaign.id
      and d.accepted_at is not null and d.variables <> '{}'
      and exists (select from jsonb_each_text(d.variables) where value <> '••••••');
    commit;
  end loop;
  reset role;
end $$;
