import { randomInt } from 'node:crypto'
import type { KnobBoard } from './knobs.ts'
import { Refusal, templateRefusal, unknownObject } from './refusals.ts'
import { categoryOf, reviewOf, type Verdict } from './review.ts'
import type { SimulatorStore } from './store.ts'
import type { Component } from './template-component.ts'
import { checkCategory, checkComponents, checkLanguage, checkLifetime, checkName, formatOf } from './template-rules.ts'

type Clicks = Record<string, Record<string, number>>

export interface Template {
  id: string
  account: string
  name: string
  language: string
  category: string
  components: Component[]
  parameter_format: string
  status: string
  /** Evaluated on every read: no node has to be running when the review ends. */
  review?: { at: number; verdict: Verdict } | undefined
  quality: { score: string; date: number }
  rejected_reason: string
  rejection_info?: Verdict['info'] | undefined
  strikes: number
  edits: number[]
  previous_category?: string
  correct_category?: string
  library_template_name?: string
  message_send_ttl_seconds?: number
  /** Clicks on links by day and label. */
  clicks?: Clicks
  /** The same, of messages that were sent by the Marketing Messages API. */
  marketing_clicks?: Clicks
}

export interface Templates {
  create(account: string, draft: Record<string, unknown>, reviewAt: number): Promise<Template>
  /** Without rules and review: for library templates. */
  add(template: Template): Promise<Template>
  find(id: string): Promise<Template | undefined>
  /** The template with its verdict, if its review has ended and no webhook was sent yet. */
  reviewed(id: string): Promise<Template | undefined>
  /** The template of a message: a second-old copy will do, unless it would be refused. */
  toSend(account: string, name: string, language: string): Template | Promise<Template | undefined>
  ofAccount(account: string): Promise<Template[]>
  edit(template: Template, changes: Record<string, unknown>, reviewAt: number): Promise<Template>
  save(template: Template): Promise<void>
  /** Throws when there is none. */
  remove(account: string, name: string, id: string | null): Promise<void>
}

const nameKey = (account: string, name: string, language: string) => `${account} ${name} ${language}`
const dayMs = 24 * 3600 * 1000

/** Beyond the safe integer range, like the platform's ids. */
export const newPlatformId = (): string => `8${randomInt(10 ** 8, 10 ** 9)}${randomInt(10 ** 8, 10 ** 9)}`

/** The current state: a review whose time has come counts as done. */
function settled(template: Template): Template {
  const { review } = template
  if (!review || review.at > Date.now()) return template
  const { status, reason, info } = review.verdict
  return { ...template, status, rejected_reason: reason, rejection_info: info, review: undefined }
}

export function createTemplates(store: SimulatorStore, knobs: KnobBoard): Templates {
  const recent = new Map<string, { template: Template; until: number }>()
  const creations = new Map<string, number[]>()

  const save = async (template: Template) => {
    const { id, account, name, language } = template
    recent.delete(nameKey(account, name, language))
    await store.save({ kind: 'template', id, account, data: template })
  }
  const find = async (id: string) => {
    const record = await store.find('template', id)
    return record && settled(record.data as Template)
  }
  async function look(key: string): Promise<Template | undefined> {
    const reserved = await store.find('template name', key)
    const { template: id } = (reserved?.data ?? {}) as { template?: string }
    const template = id === undefined ? undefined : await find(id)
    if (!template) return undefined
    recent.set(key, { template, until: store.shared ? Date.now() + 1_000 : Infinity })
    return template
  }
  const ofAccount = async (account: string) =>
    (await store.list('template', account)).map(({ data }) => settled(data as Template))

  async function throttle(account: string): Promise<void> {
    const { creations_per_hour: most, template_limit: limit } = knobs.of()
    if (limit !== null && (await ofAccount(account)).length >= limit)
      throw templateRefusal(
        2388019,
        'Message template limit exceeded',
        `This account can have ${limit} message templates`,
      )
    if (most === null) return
    const lately = (creations.get(account) ?? []).filter((at) => at > Date.now() - 3600_000)
    if (lately.length >= most) throw new Refusal(80008, 'Too many templates were created in this hour')
    creations.set(account, [...lately, Date.now()])
  }

  async function add(template: Template): Promise<Template> {
    const { account, name, language, id } = template
    const key = nameKey(account, name, language)
    const reservation = { kind: 'template name', id: key, account, data: { template: id } }
    if (!(await store.add(reservation))) {
      const { template: taken } = ((await store.find('template name', key))?.data ?? {}) as { template?: string }
      throw taken
        ? templateRefusal(
            2388024,
            'Content in this language already exists',
            `There is already ${language} content for this template. You can create a new template and try again.`,
          )
        : templateRefusal(
            2388023,
            'Message template language is being deleted',
            `New ${language} content can't be added while the existing ${language} content is being deleted. Try again in 4 weeks or create a new message template.`,
          )
    }
    await save(template)
    return template
  }

  return {
    async create(account, draft, reviewAt) {
      const name = checkName(draft.name)
      const language = checkLanguage(draft.language)
      const asked = checkCategory(draft.category)
      const components = checkComponents(draft.components, asked)
      const lifetime = checkLifetime(draft.message_send_ttl_seconds, asked)
      await throttle(account)
      const verdict = reviewOf(name, components, knobs.of())
      return add({
        id: newPlatformId(),
        account,
        name,
        language,
        category: categoryOf(name, asked),
        components,
        parameter_format: formatOf(components, draft.parameter_format),
        status: 'PENDING',
        ...(verdict && { review: { at: reviewAt, verdict } }),
        quality: { score: 'UNKNOWN', date: Math.floor(Date.now() / 1000) },
        rejected_reason: 'NONE',
        strikes: 0,
        edits: [],
        ...lifetime,
      })
    },
    add,
    find,
    async reviewed(id) {
      const template = (await store.find('template', id))?.data as Template | undefined
      const now = template && settled(template)
      return now === template ? undefined : now
    },
    save,
    ofAccount,
    toSend(account, name, language) {
      const key = nameKey(account, name, language)
      const known = recent.get(key)
      if (known && known.until > Date.now()) {
        const template = settled(known.template)
        if (template.status === 'APPROVED') return template
      }
      return look(key)
    },
    async edit(template, changes, reviewAt) {
      if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status))
        throw templateRefusal(
          undefined,
          'Template cannot be edited',
          `A template with status ${template.status} cannot be edited`,
        )
      const now = Date.now()
      const edits = template.edits.filter((at) => at > now - 30 * dayMs)
      const wasApproved = template.status === 'APPROVED'
      if (wasApproved && (edits.some((at) => at > now - dayMs) || edits.length >= 10))
        throw templateRefusal(
          2593002,
          'Edit limit reached',
          'An approved template can be edited once a day and 10 times in 30 days',
        )
      if (wasApproved && changes.category !== undefined && checkCategory(changes.category) !== template.category)
        throw templateRefusal(
          undefined,
          'Category cannot be changed',
          'The category of an approved template cannot be changed',
        )
      const category = changes.category === undefined ? template.category : checkCategory(changes.category)
      const components =
        changes.components === undefined ? template.components : checkComponents(changes.components, category)
      const verdict = reviewOf(template.name, components, knobs.of())
      const edited: Template = {
        ...template,
        category,
        components,
        status: 'PENDING',
        edits: wasApproved ? [...edits, now] : edits,
        review: verdict && { at: reviewAt, verdict },
        ...checkLifetime(changes.message_send_ttl_seconds, category),
      }
      await save(edited)
      return edited
    },
    async remove(account, name, id) {
      const meant = (await ofAccount(account)).filter((each) => each.name === name && (id === null || each.id === id))
      if (meant.length === 0)
        throw id === null
          ? templateRefusal(2593002, 'Message template not found', `There is no message template named ${name}`)
          : unknownObject(id, 'delete')
      if (meant.some(({ status }) => status === 'DISABLED'))
        throw templateRefusal(undefined, 'Template cannot be deleted', 'A disabled template cannot be deleted')
      for (const { id: own, language } of meant) {
        const key = nameKey(account, name, language)
        const expiresAt = Date.now() + knobs.of().name_block_seconds * 1000
        recent.delete(key)
        // The name is blocked before the template is deleted: it is never free in between.
        await store.save({ kind: 'template name', id: key, account, data: {}, expiresAt })
        await store.remove('template', own)
      }
    },
  }
}
