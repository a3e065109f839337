import Type from 'typebox'
import type { TenantSql, TenantTx } from '../../platform/database.ts'
import { type Fragment, joinSql, sql } from '../../platform/sql.ts'
import { KnownTemplate, type NewKnownTemplate } from './facts.ts'
import { Template, type TemplateFilter } from './schema.ts'

export const columns = sql`id, organization_id, account_id, channel_id, business_account_id, remote_template_id, name,
  language, category, upcoming_category, status, platform_status, rejected_reason, components,
  sample_files(components) as sample_files, message_send_ttl_seconds, quality_score, registration, registration_error, livemode, created_at, updated_at`
export const knownColumns = sql`${columns}, status_at, platform_status_at, quality_at, category_at`

/** A row of a page with the total; its columns are null when the page is empty. */
const TemplateRow = Type.Unsafe<Template & { total: number }>({})

export const findTemplateRow = (tx: TenantSql, id: string) =>
  tx.maybe(Template)`select ${columns} from templates where id = ${id}`

const Found = Type.Object({ id: Type.String() })

/** The template that holds the name; refused ones hold none. */
export const findByName = (tx: TenantSql, businessAccountId: string, name: string, language: string) =>
  tx.maybe(Found)`
    select id from templates
    where business_account_id = ${businessAccountId} and name = ${name} and language = ${language}
      and registration <> 'refused'`

export const lockByName = (tx: TenantTx, businessAccountId: string, name: string, language: string) =>
  tx.maybe(KnownTemplate)`
    select ${knownColumns} from templates
    where business_account_id = ${businessAccountId} and name = ${name} and language = ${language}
      and registration <> 'refused'
    for update`

type NewTemplateRow = Pick<
  Template,
  | 'id'
  | 'channel_id'
  | 'account_id'
  | 'business_account_id'
  | 'name'
  | 'language'
  | 'category'
  | 'message_send_ttl_seconds'
> & { components: object[] }

/** Nothing when the name is taken in that language: the unique index decides, also between parallel requests. */
export const insertTemplate = (tx: TenantTx, template: NewTemplateRow) =>
  tx.maybe(Template)`
    insert into templates (id, channel_id, account_id, business_account_id, name, language, category, components,
      message_send_ttl_seconds)
    values (${template.id}, ${template.channel_id}, ${template.account_id}, ${template.business_account_id},
      ${template.name}, ${template.language}, ${template.category}, ${JSON.stringify(template.components)},
      ${template.message_send_ttl_seconds})
    on conflict do nothing
    returning ${columns}`

/** Templates that already exist at the platform; nothing for those whose name or id is stored already. */
export const insertKnownTemplates = (tx: TenantTx, templates: NewKnownTemplate[]) =>
  tx.all(Template)`
    insert into templates (id, channel_id, account_id, business_account_id, remote_template_id, name, language, category,
      status, platform_status, rejected_reason, components, message_send_ttl_seconds, quality_score, status_at,
      platform_status_at, quality_at, category_at, registration, next_attempt_at, registered_at)
    select id, channel_id, account_id, business_account_id, remote_template_id, name, language, category,
      status, platform_status, rejected_reason, components, message_send_ttl_seconds, quality_score, status_at,
      platform_status_at, quality_at, category_at, 'registered', null, now()
    from jsonb_to_recordset(${JSON.stringify(templates)}::jsonb) as t (id uuid, channel_id uuid, account_id text,
      business_account_id text, remote_template_id text, name text, language text, category text, status text,
      platform_status text, rejected_reason text, components jsonb, message_send_ttl_seconds integer,
      quality_score text, status_at timestamptz, platform_status_at timestamptz, quality_at timestamptz, category_at timestamptz)
    on conflict do nothing
    returning ${columns}`

/** Facts from the platform for a set of templates; none of these is refused or pending any more. */
export const updateKnownTemplates = (tx: TenantTx, templates: KnownTemplate[]) =>
  tx.all(Template)`
    update templates set
      remote_template_id = t.remote_template_id, category = t.category, upcoming_category = t.upcoming_category,
      status = t.status, platform_status = t.platform_status, rejected_reason = t.rejected_reason,
      components = t.components, message_send_ttl_seconds = t.message_send_ttl_seconds,
      quality_score = t.quality_score, status_at = t.status_at,
      platform_status_at = t.platform_status_at, quality_at = t.quality_at, category_at = t.category_at,
      registration = 'registered', registration_error = null, may_exist = false, next_attempt_at = null,
      registered_at = coalesce(registered_at, now()), updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(templates)}::jsonb) as t (id uuid, remote_template_id text, category text,
      upcoming_category text, status text, platform_status text, rejected_reason text, components jsonb,
      message_send_ttl_seconds integer, quality_score text, status_at timestamptz, platform_status_at timestamptz, quality_at timestamptz,
      category_at timestamptz)
    where templates.id = t.id
    returning ${qualified}`

const qualified = sql`templates.id, templates.organization_id, templates.account_id, templates.channel_id,
  templates.business_account_id, templates.remote_template_id, templates.name, templates.language, templates.category,
  templates.upcoming_category, templates.status, templates.platform_status, templates.rejected_reason,
  templates.components, sample_files(templates.components) as sample_files, templates.message_send_ttl_seconds, templates.quality_score, templates.registration, templates.registration_error,
  templates.livemode, templates.created_at, templates.updated_at`

/** Only the times, where nothing visible has changed. */
export const updateKnownTimes = (tx: TenantTx, templates: KnownTemplate[]) =>
  tx.run`
    update templates set status_at = t.status_at, platform_status_at = t.platform_status_at, quality_at = t.quality_at,
      category_at = t.category_at
    from jsonb_to_recordset(${JSON.stringify(templates)}::jsonb) as t (id uuid, status_at timestamptz,
      platform_status_at timestamptz, quality_at timestamptz, category_at timestamptz)
    where templates.id = t.id`

/** Templates that webhooks refer to: by the platform's id, or by name while the id is not known yet. */
export const lockMentioned = (
  tx: TenantTx,
  mentions: { businessAccountId: string; templateId: string; name: string; language: string }[],
) =>
  tx.all(KnownTemplate)`
    select ${knownColumns} from templates
    where id in (
      select t.id from unnest(${mentions.map((each) => each.businessAccountId)}::text[],
          ${mentions.map((each) => each.templateId)}::text[], ${mentions.map((each) => each.name)}::text[],
          ${mentions.map((each) => each.language)}::text[]) mention (account, template, name, language)
        join templates t on t.business_account_id = mention.account and t.remote_template_id = mention.template
      union
      select t.id from unnest(${mentions.map((each) => each.businessAccountId)}::text[],
          ${mentions.map((each) => each.name)}::text[], ${mentions.map((each) => each.language)}::text[])
          mention (account, name, language)
        join templates t on t.business_account_id = mention.account and t.name = mention.name
          and t.language = mention.language and t.remote_template_id is null and t.may_exist
          and t.registration <> 'refused')
    order by id
    for update`

/** A page and its total, newest first, in one statement; the ids come from an index alone, at any offset. */
export function listTemplates(tx: TenantSql, filter: TemplateFilter) {
  const { limit, page, search } = filter
  const offset = (page - 1) * limit
  if (filter.language) return listInLanguage(tx, filter, filter.language)
  if (search) return searchTemplates(tx, filter, search)
  const conditions = conditionsOf(filter)
  return tx.all(TemplateRow)`
    select page.*, total from
      (select coalesce(sum(n), 0)::bigint as total from template_counts where ${conditions}) total
      left join lateral (
        select ${columns} from templates where id in (
          select id from templates where ${conditions} order by id desc limit ${limit} offset ${offset})
      ) page on true
    order by page.id desc`
}

function conditionsOf({ status, category }: Pick<TemplateFilter, 'status' | 'category'>): Fragment {
  const conditions: Fragment[] = []
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (category !== undefined) conditions.push(sql`category = ${category}`)
  return joinSql(conditions, ' and ', sql`true`)
}

/** An account has a few thousand templates at most: those in one language can be counted one by one. */
function listInLanguage(tx: TenantSql, filter: TemplateFilter, language: string) {
  const { limit, page, search } = filter
  const named = search ? sql`name like ${patternOf(search)}` : sql`true`
  const conditions = sql`${conditionsOf(filter)} and language = ${language} and ${named}`
  return tx.all(TemplateRow)`
    select page.*, total from (select count(*) as total from templates where ${conditions}) total
      left join lateral (
        select ${columns} from templates where ${conditions} order by id desc limit ${limit} offset ${(page - 1) * limit}
      ) page on true
    order by page.id desc`
}

const patternOf = (search: string) =>
  `%${search
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`

function searchTemplates(tx: TenantSql, { limit, page, status, category }: TemplateFilter, search: string) {
  const pattern = patternOf(search)
  const filters = { ...(status && { status }), ...(category && { category }) }
  return tx.all(TemplateRow)`
    select page.*, total
    from search_templates(${pattern}, ${filters}, ${limit}, ${(page - 1) * limit}) found
      left join lateral (select ${columns} from templates where templates.id = found.id) page on true
    order by page.id desc`
}

/** The platform may list it for a while longer: remembered, so that a sync does not bring it back. */
export const deleteTemplateRow = (tx: TenantTx, id: string) =>
  tx.maybe(Template)`
    with gone as (delete from templates where id = ${id} returning ${columns}),
      remembered as (
        insert into deleted_templates (business_account_id, remote_template_id)
        select business_account_id, remote_template_id from gone where remote_template_id is not null
        on conflict (organization_id, livemode, business_account_id, remote_template_id) do update set deleted_at = now()
      )
    select ${columns} from gone`
