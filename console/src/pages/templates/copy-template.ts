import type { api as types } from '@frontdesk/sdk'
import { sampleFilesOf } from '../../records/templates/stored-files.ts'
import {
  type ButtonType,
  type Components,
  examplesOf,
  handleOf,
  otpTypeOf,
  partOf,
  partsOf,
  recordsOf,
  textOf,
} from '../../records/templates/template-parts.ts'
import { kindOf } from './template-kinds.ts'
import {
  type ButtonValues,
  type CardButtonType,
  emptyTemplate,
  type FileValues,
  limits,
  newButton,
  newKey,
  noFile,
  type TemplateValues,
} from './template-values.ts'

/** An earlier template as the beginning of a new one. */
export function valuesFrom(template: types.Template): TemplateValues {
  const components: Components = template.components
  const { header, body, footer, offer, cards } = partsOf(components)
  const kind = kindOf(components)
  const files = sampleFilesOf(template)
  const buttons = recordsOf(partOf(components, 'BUTTONS')?.buttons)
  const otp = buttons.find((button) => otpTypeOf(button) !== undefined)
  const minutes = partOf(components, 'FOOTER')?.code_expiration_minutes
  const apps = recordsOf(otp?.supported_apps).map((app) => ({
    key: newKey(),
    package_name: textOf(app.package_name),
    signature_hash: textOf(app.signature_hash),
  }))
  return {
    ...emptyTemplate(kind, template.channel_id),
    name: `${template.name}_2`.slice(0, limits.name),
    language: template.language,
    category: template.category,
    message_send_ttl_seconds: String(template.message_send_ttl_seconds ?? ''),
    headerFormat: header?.format ?? 'NONE',
    headerText: header?.text ?? '',
    header: fileFrom(partOf(components, 'HEADER'), files.header),
    bodyText: body,
    footerText: footer,
    buttons: kind === 'code' ? [] : buttons.map(buttonFrom),
    ...(offer && { offerText: offer.text, offerEnds: offer.hasExpiration }),
    ...(kind === 'carousel' && cardsFrom(cards, files)),
    ...(otp && {
      otpType: otpTypeOf(otp) ?? 'COPY_CODE',
      hasAdvice: partOf(components, 'BODY')?.add_security_recommendation === true,
      expiryMinutes: typeof minutes === 'number' ? String(minutes) : '',
      ...(apps.length > 0 && { apps }),
    }),
    examples: examplesOf(components),
  }
}

function cardsFrom(cards: Components[], files: Record<string, string>) {
  const buttonsOf = (card: Components | undefined) => recordsOf(partOf(card ?? [], 'BUTTONS')?.buttons).map(buttonFrom)
  return {
    cardFormat: partsOf(cards[0] ?? []).header?.format === 'VIDEO' ? ('VIDEO' as const) : ('IMAGE' as const),
    cardButtons: buttonsOf(cards[0]).map(({ type }) => type as CardButtonType),
    cards: cards.map((card, i) => ({
      ...fileFrom(partOf(card, 'HEADER'), files[`card.${i}.header`]),
      key: newKey(),
      text: partsOf(card).body,
      buttons: buttonsOf(card),
    })),
  }
}

/** WhatsApp takes a handle again, but not the URL that it returns for one. */
function fileFrom(header: Record<string, unknown> | undefined, file = ''): FileValues {
  const handle = handleOf(header)
  return handle && !/^https?:/.test(handle) ? { handle, file } : noFile
}

function buttonFrom(button: Record<string, unknown>): ButtonValues {
  const { type, text, url, phone_number, flow_id, example } = button
  return newButton(String(type).toUpperCase() as ButtonType, {
    text: textOf(text),
    url: textOf(url),
    phone_number: textOf(phone_number),
    flow_id: textOf(flow_id),
    code: textOf(Array.isArray(example) ? example[0] : example),
  })
}
