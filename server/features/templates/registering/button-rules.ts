import type { Button, Component } from '../content/component-schema.ts'
import { variablesIn } from '../content/variables.ts'
import { type Finding, finding, isFilled, lengthOf, tooLong } from './findings.ts'

const limits = { label: 25, url: 2000, phoneNumber: 20, code: 15, packageName: 224, signatureHash: 11, apps: 5 }
const mostOf: Record<Button['type'], number> = {
  QUICK_REPLY: 10,
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  OTP: 1,
  FLOW: 1,
  CATALOG: 1,
  MPM: 1,
}
const maxButtons = 10

export function buttonsFindings({ buttons = [] }: Component): Finding[] {
  if (buttons.length === 0) return [finding('The platform wants at least one button', 'buttons')]
  const found = buttons.flatMap((button, i) =>
    buttonFindings(button).map(({ at, msg }) => finding(msg, 'buttons', String(i), ...at)),
  )
  if (buttons.length > maxButtons) found.push(finding(`A template takes ${maxButtons} buttons at most`, 'buttons'))
  for (const [type, most] of Object.entries(mostOf))
    if (buttons.filter((button) => button.type === type).length > most)
      found.push(finding(`A template takes ${most} ${type} button${most > 1 ? 's' : ''} at most`, 'buttons'))
  const changes = buttons.filter(
    ({ type }, i) => i > 0 && (type === 'QUICK_REPLY') !== (buttons[i - 1]?.type === 'QUICK_REPLY'),
  )
  if (changes.length > 1)
    found.push(finding('The platform wants quick replies to stand together, before or after the others', 'buttons'))
  for (const type of ['CATALOG', 'MPM', 'OTP'])
    if (buttons.length > 1 && buttons.some((button) => button.type === type))
      found.push(finding(`A ${type} button stands alone`, 'buttons'))
  return found
}

/** The platform labels these itself when there is no text. */
const labelledByPlatform = new Set<Button['type']>(['COPY_CODE', 'OTP'])

function buttonFindings(button: Button): Finding[] {
  const { type, text, url, phone_number, example } = button
  const found: Finding[] = []
  if (!text && !labelledByPlatform.has(type)) found.push(finding('The platform wants a label', 'text'))
  else if (text && lengthOf(text) > limits.label) found.push(tooLong('A label', limits.label, 'text'))
  if (type === 'PHONE_NUMBER') {
    if (!phone_number) found.push(finding('The platform wants the number that the button calls', 'phone_number'))
    else if (phone_number.length > limits.phoneNumber)
      found.push(tooLong('A phone number', limits.phoneNumber, 'phone_number'))
  }
  if (type === 'URL' && url !== undefined) found.push(...urlFindings(url, example))
  if (type === 'COPY_CODE') found.push(...codeFindings(example))
  if (type === 'OTP') found.push(...otpFindings(button))
  if (type === 'FLOW') found.push(...flowFindings(button))
  return found
}

function urlFindings(url: string, example: unknown): Finding[] {
  const found: Finding[] = []
  if (lengthOf(url) > limits.url) found.push(tooLong('An address', limits.url, 'url'))
  if (!/^https?:\/\//i.test(url)) found.push(finding('The platform wants an address that starts with https://', 'url'))
  if (/^https?:\/\/(www\.)?wa\.me(\/|$)/i.test(url)) found.push(finding('The platform refuses wa.me addresses', 'url'))
  const variables = variablesIn(url)
  if (variables.length > 1 || (variables.length === 1 && !url.trimEnd().endsWith('}}')))
    found.push(finding('An address takes one variable at most, at its end', 'url'))
  if (example !== undefined && variables.length > 0 && !isFilled(example))
    found.push(finding('The platform wants an example of the whole address', 'example'))
  return found
}

function codeFindings(example: unknown): Finding[] {
  const code = Array.isArray(example) ? example[0] : example
  // A missing one is filled in.
  if (code === undefined) return []
  if (typeof code !== 'string' || code === '') return [finding('The platform wants an example of the code', 'example')]
  return lengthOf(code) > limits.code ? [tooLong('A coupon code', limits.code, 'example')] : []
}

function otpFindings({ otp_type, supported_apps, zero_tap_terms_accepted, package_name }: Button): Finding[] {
  if (otp_type === 'COPY_CODE') return []
  const found: Finding[] = []
  const apps = Array.isArray(supported_apps) ? supported_apps : []
  if (package_name === undefined && apps.length === 0)
    found.push(finding(`A ${otp_type} button names the apps that take the code`, 'supported_apps'))
  if (apps.length > limits.apps) found.push(finding(`The platform takes ${limits.apps} apps at most`, 'supported_apps'))
  found.push(
    ...apps.flatMap((app, i) =>
      appFindings(app ?? {}).map(({ at, msg }) => finding(msg, 'supported_apps', String(i), ...at)),
    ),
  )
  if (otp_type === 'ZERO_TAP' && zero_tap_terms_accepted !== true)
    found.push(finding('ZERO_TAP needs your acceptance of its terms: true', 'zero_tap_terms_accepted'))
  return found
}

function appFindings({ package_name, signature_hash }: Record<string, unknown>): Finding[] {
  const found: Finding[] = []
  const isPackage =
    typeof package_name === 'string' &&
    package_name.length <= limits.packageName &&
    /^[a-z]\w*(\.[a-z]\w*)+$/i.test(package_name)
  if (!isPackage)
    found.push(finding('The platform wants an Android package name, as in com.example.app', 'package_name'))
  if (typeof signature_hash !== 'string' || !/^[A-Za-z0-9+/=]{11}$/.test(signature_hash))
    found.push(finding(`The signing key hash of an app has ${limits.signatureHash} characters`, 'signature_hash'))
  return found
}

function flowFindings(button: Button): Finding[] {
  const named = ['flow_id', 'flow_name', 'flow_json'].filter((member) => button[member] !== undefined)
  return named.length === 1 ? [] : [finding('A FLOW button names one flow: flow_id, flow_name or flow_json', 'flow_id')]
}
