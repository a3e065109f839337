import { browseLibrary, fromLibrary } from './library.ts'
import type { Numbers } from './numbers.ts'
import { Refusal, unknownObject } from './refusals.ts'
import type { SimulatorTask } from './tasks.ts'
import { clicksAnswer } from './template-clicks.ts'
import { checkCategory, checkLanguage, checkName } from './template-rules.ts'
import { newPlatformId, type Template, type Templates } from './templates.ts'

export interface GraphCall {
  method: string
  token: string | undefined
  version: number
  /** As requested, for the links in answers. */
  versionName: string
  origin: string
  query: URLSearchParams
  body(): Promise<Record<string, unknown>>
}

export interface TemplateRoutes {
  /** `/{account}/message_templates` */
  ofAccount(accountId: string, call: GraphCall): Promise<unknown>
  /** `/{template}`; nothing when the id is not a template's. */
  one(id: string, call: GraphCall): Promise<unknown>
  unpause(id: string, call: GraphCall): Promise<unknown>
  library(call: GraphCall): Promise<unknown>
  /** `/{account}/template_analytics` */
  analytics(accountId: string, call: GraphCall): Promise<unknown>
}

interface TemplateRouteDependencies {
  numbers: Numbers
  templates: Templates
  later(task: SimulatorTask): void
  wait(ms: number): number
}

const reviewTakes = 2_000
const success = { success: true }

export function createTemplateRoutes({ numbers, templates, later, wait }: TemplateRouteDependencies): TemplateRoutes {
  const reviewLater = ({ id, review }: Template) => {
    if (review) later({ at: review.at, kind: 'template', template: id, event: 'review' })
  }

  async function create(account: string, draft: Record<string, unknown>) {
    if (draft.library_template_name !== undefined) return createFromLibrary(account, draft)
    const template = await templates.create(account, draft, Date.now() + wait(reviewTakes))
    reviewLater(template)
    return { id: template.id, status: 'PENDING', category: template.category }
  }

  /** Reviewed beforehand: approved at once. */
  async function createFromLibrary(account: string, draft: Record<string, unknown>) {
    const name = checkName(draft.name)
    const language = checkLanguage(draft.language)
    if (draft.category !== undefined) checkCategory(draft.category)
    const inputs = draft.library_template_button_inputs
    const { item, components } = fromLibrary(draft.library_template_name, language, inputs)
    const { id, status, category } = await templates.add({
      id: newPlatformId(),
      account,
      name,
      language,
      category: item.category,
      components,
      parameter_format: 'POSITIONAL',
      status: 'APPROVED',
      quality: { score: 'UNKNOWN', date: Math.floor(Date.now() / 1000) },
      rejected_reason: 'NONE',
      strikes: 0,
      edits: [],
      library_template_name: item.name,
    })
    return { id, status, category }
  }

  async function list(account: string, { query, origin, versionName }: GraphCall, accountId: string) {
    const all = (await templates.ofAccount(account)).filter((template) => fits(template, query))
    const limit = Math.min(Math.max(1, Number(query.get('limit')) || 25), 1000)
    const after = cursorIn(query.get('after'))
    const before = cursorIn(query.get('before'))
    let start = after === undefined ? 0 : all.findIndex(({ id }) => id > after)
    if (start < 0) start = all.length
    if (before !== undefined) start = Math.max(0, all.filter(({ id }) => id < before).length - limit)
    const page = all.slice(start, start + limit)
    const [first, last] = [page[0], page.at(-1)]
    const cursors = first && last && { before: cursorOf(first), after: cursorOf(last) }
    const next = new URLSearchParams(query)
    next.delete('before')
    if (cursors) next.set('after', cursors.after)
    const isLast = start + limit >= all.length
    return {
      data: page.map((template) => shown(template, query.get('fields'))),
      ...(cursors && {
        paging: {
          cursors,
          ...(!isLast && { next: `${origin}/${versionName}/${accountId}/message_templates?${next}` }),
        },
      }),
      ...(query.has('summary') && { summary: { total_count: all.length, message_template_count: all.length } }),
    }
  }

  async function allowed(id: string, { token, method }: GraphCall): Promise<Template | undefined> {
    const template = await templates.find(id)
    if (!template) return undefined
    await numbers.requireToken(token)
    if (!(await numbers.mayUse(token, template.account))) throw unknownObject(id, method.toLowerCase())
    return template
  }

  return {
    async ofAccount(accountId, call) {
      const account = await numbers.authorizeAccount(call.token, accountId)
      if (call.method === 'GET') return list(account, call, accountId)
      if (call.method === 'POST') return create(account, await call.body())
      if (call.method !== 'DELETE') throw unknownObject(accountId, call.method.toLowerCase())
      const name = call.query.get('name')
      if (!name) throw new Refusal(100, '', { message: '(#100) The parameter name is required.' })
      await templates.remove(account, name, call.query.get('hsm_id'))
      return success
    },
    async one(id, call) {
      const template = await allowed(id, call)
      if (!template) return undefined
      if (call.method === 'GET') return shown(template, call.query.get('fields'))
      if (call.method !== 'POST') throw unknownObject(id, call.method.toLowerCase())
      reviewLater(await templates.edit(template, await call.body(), Date.now() + wait(reviewTakes)))
      return success
    },
    async unpause(id, call) {
      const template = await allowed(id, call)
      if (!template) throw unknownObject(id, 'post')
      return { success: false, reason: 'The template was not paused by pacing' }
    },
    async analytics(accountId, call) {
      const account = await numbers.authorizeAccount(call.token, accountId)
      return clicksAnswer(await templates.ofAccount(account), call.query)
    },
    async library(call) {
      await numbers.requireToken(call.token)
      return { data: browseLibrary(call.query) }
    },
  }
}

const cursorOf = ({ id }: Template): string => Buffer.from(`template ${id}`).toString('base64url')

function cursorIn(cursor: string | null): string | undefined {
  if (cursor === null || cursor === '') return undefined
  const id = /^template (\d+)$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (id === undefined) throw new Refusal(100, '', { message: '(#100) Invalid cursors values' })
  return id
}

function fits({ name, language, status, category, components }: Template, query: URLSearchParams): boolean {
  const is = (filter: string, value: string) =>
    !query.get(filter) || query.get(filter)?.toLowerCase() === value.toLowerCase()
  const content = query.get('name_or_content')?.toLowerCase()
  const texts = [name, ...components.map(({ text }) => text ?? '')].join(' ').toLowerCase()
  return (
    is('name', name) &&
    is('language', language) &&
    is('status', status) &&
    is('category', category) &&
    (!content || texts.includes(content))
  )
}

const usualFields = ['name', 'parameter_format', 'components', 'language', 'status', 'category']

/** The requested fields, and always the id. */
function shown(template: Template, fields: string | null): Record<string, unknown> {
  const { quality, review, account, strikes, edits, rejection_info, clicks, marketing_clicks, ...rest } = template
  const all: Record<string, unknown> = { ...rest, quality_score: quality }
  const wanted = fields ? fields.split(',').map((field) => field.trim()) : usualFields
  if (!fields) for (const name of ['previous_category', 'sub_category']) if (name in all) wanted.push(name)
  const given = Object.fromEntries(wanted.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]))
  return { ...given, id: template.id }
}
