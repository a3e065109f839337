-- Finds the stored files of the samples that a template names in its headers.
create index template_media_by_handle on template_media (organization_id, livemode, handle) where handle is not null;

-- The ids of these files, by the platform's handle.
create function sample_files(components jsonb) returns jsonb language sql stable
  return (
    select coalesce(jsonb_object_agg(m.handle, m.id), '{}') from template_media m
    where m.organization_id = current_organization() and m.livemode = current_livemode()
      and m.handle in (select given #>> '{}' from jsonb_path_query(components, '$.**.header_handle[*]') given));
