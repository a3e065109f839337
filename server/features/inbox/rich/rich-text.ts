import type { RichContent } from './schema.ts'

/** The text of a message in the history, the search and for agents: what the customer reads, with what they can tap. */
export function richText(content: RichContent): string {
  if (content.type === 'location') return placeText(content.location)
  if (content.type === 'contacts') return cardsText(content.contacts.map(({ name }) => name.formatted_name))
  const { header, body, footer } = content.interactive
  return [header?.text, body, footer, optionsText(content.interactive)].filter(Boolean).join('\n\n')
}

export const placeText = (place: { name?: string; address?: string; latitude: unknown; longitude: unknown }): string =>
  `📍 ${[place.name, place.address].filter(Boolean).join(', ') || `${place.latitude}, ${place.longitude}`}`

export const cardsText = (names: string[]): string => `👤 ${names.filter(Boolean).join(', ')}`.trim()

type Interactive = Extract<RichContent, { type: 'interactive' }>['interactive']

function optionsText({ type, buttons = [], label, url, sections = [], ...product }: Interactive): string {
  const products = [product.product_retailer_id, ...sections.flatMap((section) => section.product_retailer_ids ?? [])]
  switch (type) {
    case 'button':
      return buttons.map(({ title }) => `• ${title}`).join('\n')
    case 'list':
      return sections
        .flatMap(({ title, rows = [] }) => [
          ...(title ? [title] : []),
          ...rows.map((row) => `• ${row.title}${row.description ? `: ${row.description}` : ''}`),
        ])
        .join('\n')
    case 'cta_url':
      return `${label}: ${url}`
    case 'flow':
      return `• ${label}`
    case 'product':
    case 'product_list':
      return `🛒 ${products.filter(Boolean).join(', ')}`
    case 'location_request_message':
      return ''
  }
}
