import Type, { type Static } from 'typebox'
import { OneOf } from '../server/platform/schemas.ts'
import { bareNumber, quoted } from './json-escapes.ts'
import type { Numbers } from './numbers.ts'
import { unknownObject } from './refusals.ts'
import type { SimulatorTask } from './tasks.ts'
import { clicksWith } from './template-clicks.ts'
import { categories } from './template-rules.ts'
import type { Template, Templates } from './templates.ts'
import type { Webhooks } from './webhooks.ts'

/** Events that can be triggered for a template. */
export const TemplateEvent = Type.Object({
  event: OneOf([
    'approve',
    'reject',
    'quality',
    'recategorize',
    'pause',
    'unpause',
    'disable',
    'reinstate',
    'flag',
    'click',
  ] as const),
  /** For a rejection. */
  reason: Type.Optional(Type.String({ pattern: '^[A-Z_]{1,64}$' })),
  /** For a quality change: red pauses it, the third time disables it. */
  score: Type.Optional(OneOf(['GREEN', 'YELLOW', 'RED', 'UNKNOWN'] as const)),
  category: Type.Optional(OneOf(categories)),
  /** For clicks on a link: the label of the button, and how many people click, once each. */
  button: Type.Optional(Type.String({ maxLength: 25 })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** Whether the messages were sent by the Marketing Messages API, whose clicks are counted apart. */
  marketing_messages: Type.Optional(Type.Boolean()),
})
export type TemplateEvent = Static<typeof TemplateEvent>

export interface TemplateEvents {
  /** Sends the webhook of a review that has ended by now. */
  endReview(id: string): Promise<void>
  act(id: string, event: TemplateEvent): Promise<Template>
  run(task: SimulatorTask & { kind: 'template' }): Promise<void>
}

interface TemplateEventDependencies {
  templates: Templates
  numbers: Numbers
  webhooks: Webhooks
  later(task: SimulatorTask): void
  wait(ms: number): number
  speed: number
}

const hourMs = 3600 * 1000
/** A day on the platform. */
const noticeMs = 5_000
const pauses = [
  { title: 'FIRST_PAUSE', hours: 3 },
  { title: 'SECOND_PAUSE', hours: 6 },
]

export function createTemplateEvents(deps: TemplateEventDependencies): TemplateEvents {
  const { templates, numbers, webhooks, later, wait, speed } = deps

  const toldAt = new Map<string, number>()

  const facts = ({ id, name, language }: Template) =>
    `"message_template_id":${bareNumber(id)},"message_template_name":${quoted(name)},"message_template_language":"${language}"`

  /** Every app subscribed to the account receives it. */
  async function tell(template: Template, field: string, json: string): Promise<void> {
    const listeners = new Map(
      (await numbers.ofAccount(template.account)).map((number) => [
        `${number.callback_url} ${number.app_secret}`,
        number,
      ]),
    )
    const now = Date.now()
    const key = `${template.id} ${field}`
    // Times are whole seconds: the order of two events in one second would be unknown.
    const time = Math.max(Math.floor(now / 1000), (toldAt.get(key) ?? 0) + 1)
    if (toldAt.size > 10_000) toldAt.clear()
    toldAt.set(key, time)
    for (const number of listeners.values()) webhooks.push(number, { part: field, json, time }, time * 1000 - now)
  }
  const tellStatus = (template: Template, event: string, more = '') =>
    tell(
      template,
      'message_template_status_update',
      `{"event":"${event}",${facts(template)},"message_template_category":"${template.category}",` +
        `"reason":"${template.rejected_reason}"${more}}`,
    )

  const change = async (template: Template, changes: Partial<Template>): Promise<Template> => {
    const changed = { ...template, ...changes }
    await templates.save(changed)
    return changed
  }

  async function pause(template: Template, strikes: number): Promise<Template> {
    const length = pauses[strikes - 1]
    if (!length) return disable({ ...template, strikes })
    const paused = await change(template, { status: 'PAUSED', strikes, rejected_reason: 'NONE' })
    const description = `The template is paused for ${length.hours} hours, because people did not like it.`
    await tellStatus(paused, 'PAUSED', `,"other_info":{"title":"${length.title}","description":${quoted(description)}}`)
    // Without waits the pause would be invisible: then it lasts until it is ended by request.
    if (speed > 0)
      later({ at: Date.now() + wait(length.hours * hourMs), kind: 'template', template: template.id, event: 'unpause' })
    return paused
  }
  async function disable(template: Template): Promise<Template> {
    const disabled = await change(template, { status: 'DISABLED', rejected_reason: 'NONE' })
    await tellStatus(disabled, 'DISABLED', `,"disable_info":{"disable_date":"${Math.floor(Date.now() / 1000)}"}`)
    return disabled
  }
  async function decide(template: Template, status: 'APPROVED' | 'REJECTED', reason: string): Promise<Template> {
    const decided = await change(template, { status, rejected_reason: reason, review: undefined })
    await tellStatus(decided, status)
    return decided
  }
  async function rate(template: Template, score: string): Promise<Template> {
    const previous = template.quality.score
    const rated = await change(template, { quality: { score, date: Math.floor(Date.now() / 1000) } })
    await tell(
      rated,
      'message_template_quality_update',
      `{"previous_quality_score":"${previous}","new_quality_score":"${score}",${facts(rated)}}`,
    )
    return score === 'RED' && rated.status === 'APPROVED' ? pause(rated, rated.strikes + 1) : rated
  }
  async function recategorize(template: Template, category: string): Promise<Template> {
    const at = Date.now() + wait(noticeMs)
    const warned = await change(template, { correct_category: category })
    await tell(
      warned,
      'template_category_update',
      `{${facts(warned)},"new_category":"${warned.category}","correct_category":"${category}",` +
        `"category_update_timestamp":${Math.floor(at / 1000)}}`,
    )
    later({ at, kind: 'template', template: template.id, event: 'recategorize', category })
    return warned
  }

  async function endReview(id: string): Promise<void> {
    const template = await templates.reviewed(id)
    if (!template) return
    await templates.save(template)
    await tellStatus(
      template,
      template.status,
      template.rejection_info ? `,"rejection_info":${quotedInfo(template)}` : '',
    )
  }

  return {
    endReview,
    async act(id, { event, reason, score, category, button, count, marketing_messages = false }) {
      const template = await templates.find(id)
      if (!template) throw unknownObject(id, 'post')
      switch (event) {
        case 'approve':
          return decide(template, 'APPROVED', 'NONE')
        case 'reject':
          return decide(template, 'REJECTED', reason ?? 'ABUSIVE_CONTENT')
        case 'quality':
          return rate(template, score ?? 'RED')
        case 'recategorize':
          return recategorize(template, category ?? 'MARKETING')
        case 'pause':
          return pause(template, Math.min(template.strikes + 1, 2))
        case 'unpause':
          return decide(template, 'APPROVED', 'NONE')
        case 'disable':
          return disable(template)
        case 'reinstate': {
          const reinstated = await change(template, { status: 'APPROVED', rejected_reason: 'NONE', strikes: 0 })
          await tellStatus(reinstated, 'REINSTATED')
          return reinstated
        }
        case 'click':
          // The platform counts clicks and sends no webhook.
          return change(template, clicksWith(template, button, count ?? 1, marketing_messages))
        case 'flag':
          await tellStatus(template, 'FLAGGED')
          return template
      }
    },
    async run({ template: id, event, category }) {
      if (event === 'review') return endReview(id)
      const template = await templates.find(id)
      if (event === 'unpause' && template?.status === 'PAUSED') await decide(template, 'APPROVED', 'NONE')
      if (event !== 'recategorize' || !template || !category) return
      const changed = await change(template, { category, previous_category: template.category })
      await tell(
        changed,
        'template_category_update',
        `{${facts(changed)},"previous_category":"${template.category}","new_category":"${category}"}`,
      )
    },
  }
}

const quotedInfo = ({ rejection_info: info }: Template): string =>
  info ? `{"reason":${quoted(info.reason)},"recommendation":${quoted(info.recommendation)}}` : '{}'
