import { templateRefusal } from './refusals.ts'
import { variablesIn } from './template-variables.ts'

export const invalid = (message: string) => templateRefusal(undefined, 'Invalid parameter', message)

type Button = Record<string, unknown>

const most: Record<string, number> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  OTP: 1,
  FLOW: 1,
  CATALOG: 1,
  MPM: 1,
}

export function checkButtons(buttons: Button[]): void {
  if (buttons.length === 0 || buttons.length > 10) throw invalid('There may be 1 to 10 buttons')
  for (const [type, limit] of Object.entries(most))
    if (buttons.filter((button) => button.type === type).length > limit)
      throw invalid(`There may be ${limit} buttons of type ${type} at most`)
  let changes = 0
  for (const [i, button] of buttons.entries()) {
    checkButton(button)
    const before = buttons[i - 1]
    if (before && (before.type === 'QUICK_REPLY') !== (button.type === 'QUICK_REPLY')) changes++
  }
  if (changes > 1) throw invalid('Quick reply buttons must stand together')
  if (buttons.length > 1 && buttons.some(({ type }) => type === 'CATALOG' || type === 'MPM'))
    throw invalid('A button of type CATALOG or MPM must be the only one')
}

function checkButton(button: Button): void {
  const { type, text, phone_number } = button
  if (typeof type !== 'string' || !(type in most)) throw invalid(`Button type ${String(type)} is not known`)
  if (type !== 'COPY_CODE' && (typeof text !== 'string' || text.trim() === '' || text.length > 25))
    throw invalid('The text of a button has 1 to 25 characters')
  if (type === 'PHONE_NUMBER' && (typeof phone_number !== 'string' || !/^\+?[\d\s().-]{5,20}$/.test(phone_number)))
    throw invalid('A button of type PHONE_NUMBER needs a phone_number of 20 characters at most')
  if (type === 'OTP') throw invalid('Buttons of type OTP are for authentication templates')
  if (type === 'COPY_CODE') checkCode(button)
  if (type === 'FLOW' && ['flow_id', 'flow_name', 'flow_json'].filter((name) => name in button).length !== 1)
    throw invalid('A button of type FLOW needs exactly one of flow_id, flow_name and flow_json')
  if (type === 'URL') checkUrl(button)
}

function checkCode({ example }: Button): void {
  const code = Array.isArray(example) ? example[0] : example
  if (typeof code !== 'string' || code === '' || code.length > 15)
    throw invalid('A button of type COPY_CODE needs an example of 15 characters at most')
}

function checkUrl({ url, example }: Button): void {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url) || url.length > 2000)
    throw invalid('A button of type URL needs a url')
  const { count, fault } = variablesIn(url)
  if (fault || count > 1 || (count === 1 && !url.endsWith('}}')))
    throw invalid('A URL can hold one variable, at its end')
  if (count === 1 && !(Array.isArray(example) ? example[0] : example))
    throw invalid('A URL with a variable needs an example')
}

/** The button of an authentication template, as the platform stores it: a URL of its own. */
export function storedOtp(button: Button): Button {
  const { text, otp_type: given, autofill_text, supported_apps, package_name, signature_hash } = button
  const otpType = String(given ?? '').toUpperCase()
  if (!['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'].includes(otpType)) throw invalid(`${String(given)} is not an otp_type`)
  for (const label of [text, autofill_text])
    if (label !== undefined && (typeof label !== 'string' || label.length > 25))
      throw invalid('The text of a button has 25 characters at most')
  if (otpType !== 'COPY_CODE') checkApps(supported_apps ?? [{ package_name, signature_hash }])
  if (otpType === 'ZERO_TAP' && button.zero_tap_terms_accepted !== true)
    throw invalid('The zero-tap terms must be accepted: zero_tap_terms_accepted')
  const url = `https://www.whatsapp.com/otp/code/?otp_type=${otpType}&code=otp`
  const label = text ?? (otpType === 'COPY_CODE' ? 'Copy code' : (autofill_text ?? 'Autofill'))
  return { type: 'URL', text: label, url: `${url}{{1}}`, example: [`${url}123456`] }
}

function checkApps(apps: unknown): void {
  if (!Array.isArray(apps) || apps.length === 0 || apps.length > 5) throw invalid('There may be 1 to 5 supported_apps')
  for (const app of apps) {
    if (!/^[a-z]\w*(\.[a-z]\w*)+$/i.test(String(app?.package_name)) || String(app?.package_name).length > 224)
      throw invalid('A supported app needs an Android package_name')
    if (!/^[A-Za-z0-9+/=]{11}$/.test(String(app?.signature_hash)))
      throw invalid('A supported app needs a signature_hash of 11 characters')
  }
}
