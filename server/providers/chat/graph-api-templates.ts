import { ChatError, type ChatPlatform } from './contract.ts'
import { asId, asObject, asObjects, asText, badAnswer, type GraphClient, type Json } from './graph-api-client.ts'
import { pages } from './graph-api-pages.ts'
import type { ClickCount, LibraryTemplate, PlatformTemplate, TemplateVerdict } from './template-contract.ts'

type TemplateCalls = Pick<
  ChatPlatform,
  | 'createTemplate'
  | 'createTemplateFromLibrary'
  | 'listTemplates'
  | 'findTemplate'
  | 'deleteTemplate'
  | 'readClicks'
  | 'listLibrary'
>

/** The platform's reference is inconsistent about the account in the path: try without it first, as most samples do. */
const libraryEdge = 'message_template_library'

const commonFields = 'id,name,language,status,category,components,quality_score,rejected_reason'
const allFields = `${commonFields},message_send_ttl_seconds`
const pageSize = '100'

export function templateCalls(client: GraphClient, businessAccountId: string): TemplateCalls {
  const edge = [businessAccountId, 'message_templates']

  async function create(draft: Json & { category: string }): Promise<TemplateVerdict> {
    // The platform refuses a second creation, but that refusal would hide that the first one succeeded.
    const answer = await client.call({ method: 'POST', path: edge, json: draft, repeatable: false })
    const id = asId(answer.id)
    if (!id) throw badAnswer(false, 'a created template without an id')
    return {
      id,
      status: upperCased(answer.status) || 'PENDING',
      category: upperCased(answer.category) || draft.category,
    }
  }

  /** The newest field is left out once a server has refused it. */
  let fields = allFields
  async function withFields<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if (fields === commonFields || !refusesField(error)) throw error
      fields = commonFields
      return read()
    }
  }

  async function* list(filter: { name?: string }): AsyncGenerator<PlatformTemplate[]> {
    const open = () => pages(client, edge, { fields, limit: pageSize, ...filter }, (items) => items.map(templateOf))
    let listing = open()
    const first = await withFields(() => {
      listing = open()
      return listing.next()
    })
    if (first.done) return
    yield first.value
    yield* listing
  }

  async function findListed(filter: { name?: string }, matches: (template: PlatformTemplate) => boolean) {
    let dying: PlatformTemplate | undefined
    for await (const page of list(filter))
      for (const template of page.filter(matches)) {
        if (!isDying(template)) return template
        dying = template
      }
    return dying
  }

  async function listLibraryAt(path: string[], filter: { search?: string; name?: string; language?: string }) {
    const found: LibraryTemplate[] = []
    const query = { search: filter.search, name: filter.name, language: filter.language, limit: pageSize }
    for await (const page of pages(client, path, query, (items) => items.map(libraryTemplateOf))) found.push(...page)
    return found
  }

  return {
    createTemplate: ({ name, language, category, components, ttlSeconds = null }) =>
      create({
        name,
        language,
        category,
        components,
        ...(hasNames(components) && { parameter_format: 'NAMED' }),
        ...(ttlSeconds !== null && { message_send_ttl_seconds: ttlSeconds }),
      }),
    createTemplateFromLibrary: ({ name, language, category, libraryTemplateName, buttonInputs }) =>
      create({
        name,
        language,
        category,
        library_template_name: libraryTemplateName,
        // Documented as a list, but the platform accepts only a JSON string.
        ...(buttonInputs && { library_template_button_inputs: JSON.stringify(buttonInputs) }),
      }),
    listTemplates: () => list({}),
    async findTemplate(which) {
      if (!('id' in which)) {
        // The filter is only a hint: some servers ignore it, and it may match part of a name.
        const isIt = ({ name, language }: PlatformTemplate) =>
          name === which.name && language.toLowerCase() === which.language.toLowerCase()
        return findListed({ name: which.name }, isIt)
      }
      try {
        const read = () => client.call({ method: 'GET', path: [which.id], query: { fields }, repeatable: true })
        return templateOf(await withFields(read))
      } catch (error) {
        if (!isAboutTheObject(error)) throw error
        return error.subcode === '33' ? undefined : findListed({}, ({ id }) => id === which.id)
      }
    },
    async deleteTemplate({ id, name }) {
      try {
        const answer = await client.call({
          method: 'DELETE',
          path: edge,
          query: { hsm_id: id, name },
          repeatable: true,
        })
        if (answer.success === false) throw badAnswer(true, 'the deletion was not carried out')
        return 'deleted'
      } catch (error) {
        if (!isAboutTheObject(error)) throw error
        // The same codes can mean a missing permission: only a list without the template proves that it is gone.
        const left = await findListed({ name }, (template) => template.id === id)
        if (left && !isDying(left)) throw error
        return 'gone'
      }
    },
    async readClicks({ templateId, from, until, asMarketing }) {
      const seconds = (time: Date) => String(Math.floor(time.getTime() / 1000))
      const query = {
        start: seconds(from),
        end: seconds(until),
        granularity: 'DAILY',
        metric_types: 'CLICKED',
        template_ids: `[${templateId}]`,
        ...(asMarketing && { product_type: 'MARKETING_MESSAGES_API_FOR_WHATSAPP' }),
      }
      const counts: ClickCount[] = []
      for await (const page of pages(client, [businessAccountId, 'template_analytics'], query, clicksIn))
        counts.push(...page)
      return counts
    },
    async listLibrary(filter) {
      try {
        return await listLibraryAt([libraryEdge], filter)
      } catch (error) {
        if (!(error instanceof ChatError && error.verdict === 'fail')) throw error
        return listLibraryAt([businessAccountId, libraryEdge], filter)
      }
    },
  }
}

const aboutTheObject = new Set(['100', '33', '803', '132001'])

/** Whether the platform itself reported that the object is unknown or invalid. A bare 404 does not count. */
const isAboutTheObject = (error: unknown): error is ChatError =>
  error instanceof ChatError && error.verdict === 'fail' && aboutTheObject.has(error.code)

const isDying = ({ status }: PlatformTemplate): boolean => status === 'PENDING_DELETION' || status === 'DELETED'

/** The platform returns enum values in either case. */
const upperCased = (value: unknown): string => asText(value).toUpperCase()

/** The platform's words for a field that its version does not have. */
const refusesField = (error: unknown): boolean =>
  error instanceof ChatError && error.code === '100' && /nonexisting field/i.test(error.message)

function templateOf(item: Json): PlatformTemplate {
  const id = asId(item.id)
  if (!id) throw badAnswer(true, 'a template without an id')
  const score = upperCased(asObject(item.quality_score)?.score ?? item.quality_score)
  const reason = asText(item.rejected_reason)
  const ttl = item.message_send_ttl_seconds
  return {
    id,
    name: asText(item.name),
    language: asText(item.language),
    status: upperCased(item.status),
    category: upperCased(item.category),
    components: asObjects(item.components),
    ...((ttl === null || Number.isSafeInteger(ttl)) && { ttlSeconds: ttl as number | null }),
    qualityScore: ['GREEN', 'YELLOW', 'RED'].includes(score) ? score : '',
    rejectedReason: reason === '' || reason.toUpperCase() === 'NONE' ? null : reason,
  }
}

const clickKinds: Record<string, ClickCount['kind']> = { url_button: 'clicks', unique_url_button: 'people' }

/** Clicks on links alone: taps on reply buttons arrive as messages. */
const clicksIn = (items: Json[]): ClickCount[] =>
  items
    .flatMap(({ data_points }) => asObjects(data_points))
    .flatMap(({ start, clicked }) =>
      asObjects(clicked).flatMap(({ type, button_content, count }): ClickCount[] => {
        const kind = clickKinds[asText(type).toLowerCase()]
        if (!kind || !Number.isSafeInteger(count) || !Number.isSafeInteger(start)) return []
        const day = new Date(Number(start) * 1000).toISOString().slice(0, 10)
        return [{ day, label: asText(button_content), kind, count: Number(count) }]
      }),
    )

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const libraryTemplateOf = (item: Json): LibraryTemplate => ({
  id: asId(item.id) ?? '',
  name: asText(item.name),
  language: asText(item.language),
  category: upperCased(item.category),
  topic: asText(item.topic),
  usecase: asText(item.usecase),
  industry: texts(item.industry),
  header: asText(item.header),
  body: asText(item.body),
  bodyParams: texts(item.body_params),
  bodyParamTypes: texts(item.body_param_types),
  buttons: asObjects(item.buttons),
})

/** Variables are positional unless the request declares them as named. */
const hasNames = (components: Record<string, unknown>[]): boolean =>
  components.some(
    ({ text, cards }) =>
      (typeof text === 'string' && /\{\{\s*[a-z_]/i.test(text)) ||
      asObjects(cards).some((card) => hasNames(asObjects(card.components))),
  )
