import { type TenantSql, TryAgain } from '../../platform/database.ts'
import { AppError, badRequest, conflict, InvalidInput, invalid, violates } from '../../platform/errors.ts'
import { isQuietTime } from '../../platform/local-times.ts'
import type { ChatConnection, ChatConnections } from '../channels/connections/chat-connections.ts'
import { findBlock } from '../channels/health/read-account-health.ts'
import { findSchedule } from '../schedules/find-schedule.ts'
import { storedMediaIn } from '../templates/content/parameters.ts'
import { faultsIn } from '../templates/content/structured-values.ts'
import { contactSyntax, isBlank, readValue } from '../templates/content/values.ts'
import { findTemplate, whyNotSendable } from '../templates/find-template.ts'
import { missingMedia, noSuchFile } from '../templates/media/upload-for-sending.ts'
import type { Template, TemplateVariables } from '../templates/schema.ts'
import { type Audience, findUnknownContacts } from './audience-queries.ts'
import type { CampaignRowInput } from './queries.ts'

export type Draft = Omit<CampaignRowInput, 'id'>

const maxNamed = 20

/** Throws if the campaign is not valid; returns the template that it would send. */
export async function checkCampaign(
  sql: TenantSql,
  draft: Draft,
  { chatConnections }: { chatConnections: ChatConnections },
): Promise<Template | undefined> {
  checkFields(draft)
  const template = await findSendable(sql, draft, { chatConnections })
  await refuseBlocked(sql, draft)
  await checkContacts(sql, draft)
  const { schedule_id } = draft.sendingTimes ?? {}
  if (schedule_id && !(await findSchedule(sql, schedule_id)))
    throw badRequest('The business hours were not found for this organization')
  return template
}

/** Throws if the platform would refuse every message. Until a later start, the account may be restored. */
async function refuseBlocked(sql: TenantSql, { channelId, templateId, scheduledAt }: Draft): Promise<void> {
  if (templateId === null || Date.parse(scheduledAt ?? '') > Date.now()) return
  const block = await findBlock(sql, channelId, new Date())
  if (block) throw conflict(block)
}

/** Checks that need no database. */
export function checkFields(draft: Draft): void {
  checkAudience(audienceOf(draft))
  checkVariables(draft.templateVariables)
  checkSendingTimes(draft.sendingTimes)
}

/** Returns the campaign's template, if it has one; throws unless its channel can send it. */
export async function findSendable(
  sql: TenantSql,
  { channelId, templateId, templateVariables }: Pick<Draft, 'channelId' | 'templateId' | 'templateVariables'>,
  { chatConnections }: { chatConnections: ChatConnections },
): Promise<Template | undefined> {
  const template = await checkTemplate(sql, templateId, await openConnection(sql, chatConnections, channelId))
  await checkValues(sql, template, templateVariables)
  return template
}

/** Checks the values that are the same for every recipient. */
export async function checkValues(
  sql: TenantSql,
  template: Template | undefined,
  variables: TemplateVariables | null,
): Promise<void> {
  const { components } = template ?? { components: [] }
  refuse(faultsIn(components, variables ?? {}))
  const unknown = new Set(await missingMedia(sql, storedMediaIn(components, variables ?? {})))
  refuse(Object.entries(variables ?? {}).flatMap(([key, id]) => (unknown.has(id) ? [{ key, msg: noSuchFile }] : [])))
}

export const audienceOf = ({ audienceType, audienceTags, audienceContactIds }: Draft): Audience => ({
  audience_type: audienceType,
  audience_tags: audienceTags,
  audience_contact_ids: audienceContactIds,
})

function checkAudience({ audience_type, audience_tags, audience_contact_ids }: Audience): void {
  if (audience_type === 'tags' && !audience_tags?.length)
    throw invalid(
      ['body', 'audience_tags'],
      'audience_tags must name at least one tag for the audience tags',
      'missing',
    )
  if (audience_type === 'manual' && !audience_contact_ids?.length)
    throw invalid(
      ['body', 'audience_contact_ids'],
      'audience_contact_ids must name at least one contact for the audience manual',
      'missing',
    )
}

function checkVariables(variables: TemplateVariables | null): void {
  refuse(
    Object.entries(variables ?? {}).flatMap(([key, value]) => {
      const msg = faultIn(value)
      return msg ? [{ key, msg }] : []
    }),
  )
}

function refuse(faults: { key: string; msg: string }[]): void {
  if (faults.length > 0)
    throw new InvalidInput(
      faults.map(({ key, msg }) => ({ loc: ['body', 'template_variables', key], msg, type: 'value_error' })),
    )
}

function checkSendingTimes(times: Draft['sendingTimes']): void {
  if (!times) return
  const { local_time, quiet_hours, schedule_id } = times
  const at = ['body', 'sending_times']
  if (local_time === null && quiet_hours === null && !schedule_id)
    throw invalid(at, 'Give local_time, quiet_hours or schedule_id; null sends at any time', 'missing')
  if (!quiet_hours) return
  if (quiet_hours.from === quiet_hours.until)
    throw invalid([...at, 'quiet_hours', 'until'], 'The quiet hours must end at another time than they start')
  if (local_time !== null && isQuietTime(local_time, quiet_hours))
    throw invalid([...at, 'local_time'], `${local_time} is within the quiet hours`)
}

function faultIn(value: string): string | undefined {
  if (isBlank(value)) return 'A variable must not be blank: nothing blank is ever sent'
  if (readValue(value)) return undefined
  return `Only ${contactSyntax} can stand between braces, each with words for those who have none, as in {{contact.first_name|there}}`
}

async function openConnection(
  sql: TenantSql,
  chatConnections: ChatConnections,
  channelId: string,
): Promise<ChatConnection> {
  try {
    // Reads the channel; makes no request to the platform.
    return await chatConnections.open(sql, channelId)
  } catch (error) {
    if (error instanceof AppError && error.status === 404)
      throw badRequest('The chat channel or phone number was not found for this organization')
    throw error
  }
}

async function checkTemplate(
  sql: TenantSql,
  id: string | null,
  connection: ChatConnection,
): Promise<Template | undefined> {
  if (id === null) return undefined
  const template = await findTemplate(sql, id)
  if (!template) throw badRequest('The message template was not found for this organization')
  const why = whyNotSendable(template, connection.businessAccountId)
  if (why) throw badRequest(why)
  return template
}

export async function checkContacts(sql: TenantSql, { audienceType, audienceContactIds }: Draft): Promise<void> {
  if (audienceType !== 'manual') return
  const unknown = (await findUnknownContacts(sql, audienceContactIds ?? [])).map(({ id }) => id)
  if (unknown.length === 0) return
  const more = unknown.length > maxNamed ? ` and ${unknown.length - maxNamed} more` : ''
  throw badRequest(`These contacts were not found: ${unknown.slice(0, maxNamed).join(', ')}${more}`)
}

/** The template was deleted after it was read. Repeating the transaction reports that to the caller. */
export function retryIfTemplateDeleted(error: unknown): never {
  throw violates(error, 'campaigns_template_exists') ? new TryAgain(error) : error
}
