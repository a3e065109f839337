import { Refusal } from './refusals.ts'
import type { Component } from './template-component.ts'
import type { Template } from './templates.ts'

const dayMs = 24 * 3600 * 1000
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const linksIn = (components: Component[]): string[] =>
  components.flatMap(({ buttons = [], cards = [] }) => [
    ...buttons.filter(({ type }) => String(type).toUpperCase() === 'URL').map(({ text }) => String(text)),
    ...cards.flatMap((card) => linksIn(card.components)),
  ])

const countsOf = (isMarketing: boolean) => (isMarketing ? 'marketing_clicks' : 'clicks')

/** The clicks of a template after some people have clicked one of its links today. */
export function clicksWith(
  template: Template,
  button: string | undefined,
  count: number,
  isMarketing: boolean,
): Pick<Template, 'clicks' | 'marketing_clicks'> {
  const links = linksIn(template.components)
  const label = button ?? links[0]
  if (label === undefined || !links.includes(label)) throw new Refusal(100, 'The template has no such link')
  const today = dayOf(Date.now())
  const clicks = template[countsOf(isMarketing)] ?? {}
  const sum = (clicks[today]?.[label] ?? 0) + count
  return { [countsOf(isMarketing)]: { ...clicks, [today]: { ...clicks[today], [label]: sum } } }
}

/** `GET /{account}/template_analytics`: clicks alone, by template and day, of the messages of one API. */
export function clicksAnswer(templates: Template[], query: URLSearchParams) {
  const start = Number(query.get('start')) * 1000
  const end = Number(query.get('end')) * 1000
  const ids: string[] = (query.get('template_ids') ?? '').match(/\d+/g) ?? []
  if (!(start > 0 && end > 0) || query.get('granularity')?.toUpperCase() !== 'DAILY')
    throw new Refusal(100, 'start, end and the granularity DAILY are required')
  if (ids.length < 1 || ids.length > 10) throw new Refusal(100, 'template_ids must name 1 to 10 templates')
  const product = query.get('product_type')?.toUpperCase() ?? 'CLOUD_API'
  const isMarketing = product === 'MARKETING_MESSAGES_API_FOR_WHATSAPP'
  if (!isMarketing && product !== 'CLOUD_API') throw new Refusal(100, 'The product_type is unknown')
  const data_points = templates
    .filter(({ id, category }) => ids.includes(id) && category !== 'AUTHENTICATION')
    .flatMap(({ id, ...template }) =>
      Object.entries(template[countsOf(isMarketing)] ?? {})
        .filter(([day]) => day >= dayOf(start) && day <= dayOf(end))
        .map(([day, labels]) => ({
          template_id: id,
          start: Date.parse(day) / 1000,
          end: (Date.parse(day) + dayMs) / 1000,
          clicked: Object.entries(labels).flatMap(([button_content, count]) =>
            ['url_button', 'unique_url_button'].map((type) => ({ type, button_content, count })),
          ),
        })),
    )
  return { data: [{ granularity: 'DAILY', product_type: product.toLowerCase(), data_points }] }
}
