import type { TenantSql } from '../../../platform/database.ts'
import { type Fault, InvalidInput } from '../../../platform/errors.ts'
import type { PhoneNumbers } from '../../../platform/phone-numbers.ts'
import { voiceProviders } from '../../../providers/speech/voices.ts'
import { findSchedule } from '../../schedules/find-schedule.ts'
import { checkResults } from '../results/check-results.ts'
import { actionNames } from '../tools/actions.ts'
import { faultInSchema } from '../tools/check-arguments.ts'
import { placeholdersOf } from '../tools/rest-address.ts'
import { searchToolName } from '../tools/search-knowledge.ts'
import type { TransferTarget } from './call-settings.ts'
import type { AgentConfig } from './config-schema.ts'

export interface Checking {
  phones: PhoneNumbers
  outbound: { isForbiddenAddress(url: string): boolean }
}

/** Headers that belong to the connection and cannot be configured. */
const reserved = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'expect',
])

const choicesAndThen = 'Remove then: a rule with choices waits for the customer’s answer'

/** What a schema cannot check: clashing names, forbidden addresses, parameters that are no JSON Schema. */
export async function checkConfig(
  sql: TenantSql,
  config: AgentConfig,
  { phones, outbound }: Checking,
): Promise<AgentConfig> {
  const faults: Fault[] = []
  const add = (loc: (string | number)[], msg: string) =>
    faults.push({ loc: ['body', 'agent_config', ...loc.map(String)], msg, type: 'value_error' })

  for (const list of ['tools', 'mcp_servers'] as const) {
    const names = new Set<string>(list === 'tools' ? [...actionNames, searchToolName] : [])
    for (const [index, { name, url, headers }] of config[list].entries()) {
      if (names.has(name)) add([list, index, 'name'], `The name ${name} is taken`)
      names.add(name)
      const problem = problemWithAddress(url, outbound)
      if (problem) add([list, index, 'url'], problem)
      for (const [header, value] of Object.entries(headers)) {
        const problem = problemWithHeader(header, value)
        if (problem) add([list, index, 'headers', header], problem)
      }
    }
  }
  for (const [index, { url, parameters }] of config.tools.entries()) {
    const fault = faultInSchema(parameters)
    if (fault) add(['tools', index, 'parameters'], fault)
    const { inside, outside } = placeholdersOf(url)
    if (outside) add(['tools', index, 'url'], 'Only the path and the query can hold parameters')
    for (const name of inside)
      if (!Object.hasOwn((parameters.properties ?? {}) as object, name))
        add(['tools', index, 'url'], `{${name}} is none of the parameters`)
  }
  const { rules, fallback } = config.call_settings
  for (const [index, { choices, then }] of rules.entries())
    if (choices && then) add(['call_settings', 'rules', index, 'choices'], choicesAndThen)
  if (fallback !== null && typeof fallback === 'object' && fallback.choices && fallback.then)
    add(['call_settings', 'fallback', 'choices'], choicesAndThen)
  const targets = config.call_settings.transfer_targets
  for (const [index, { name }] of targets.entries())
    if (targets.findIndex((other) => other.name === name) !== index)
      add(['call_settings', 'transfer_targets', index, 'name'], `The name ${name} is taken`)
  const templates = config.call_settings.message_templates
  for (const [index, { name }] of templates.entries())
    if (templates.findIndex((other) => other.name === name) !== index)
      add(['call_settings', 'message_templates', index, 'name'], `The name ${name} is taken`)
  for (const [index, target] of targets.entries())
    if (target.schedule_id !== null && !(await findSchedule(sql, target.schedule_id)))
      add(['call_settings', 'transfer_targets', index, 'schedule_id'], 'There is no such schedule')
  const { schedule_id, replies, transfers } = config.business_hours
  if (schedule_id === null && (replies !== 'always' || transfers !== 'always'))
    add(['business_hours', 'schedule_id'], 'Name the business hours to follow')
  checkResults(config.results, add)
  const { provider, provider_voice_id } = config.voice_settings ?? {}
  if (provider_voice_id && !voiceProviders.some((each) => each === provider))
    add(['voice_settings', 'provider'], `Name the provider of the voice: ${voiceProviders.join(', ')}`)
  if (faults.length > 0) throw new InvalidInput(faults)
  const { call_settings } = config
  const numberAt = (number: string, ...loc: string[]) =>
    phones.require(sql, number, ['body', 'agent_config', 'call_settings', ...loc])
  const { transfer_number: given } = call_settings
  const transfer_number = given === null ? null : await numberAt(given, 'transfer_number')
  const transfer_targets: TransferTarget[] = []
  for (const [index, target] of targets.entries())
    transfer_targets.push({
      ...target,
      number: await numberAt(target.number, 'transfer_targets', String(index), 'number'),
    })
  return { ...config, call_settings: { ...call_settings, transfer_number, transfer_targets } }
}

function problemWithAddress(url: string, outbound: Checking['outbound']): string | undefined {
  if (!URL.canParse(url)) return 'Not an address'
  const { username, password } = new URL(url)
  if (username || password) return 'Put credentials into headers, where they are kept encrypted'
  if (outbound.isForbiddenAddress(url)) return 'An address of this machine or its network, which may not be called'
  return undefined
}

function problemWithHeader(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'Not a name that a header can have'
  if (reserved.has(name.toLowerCase())) return 'This header is set by the connection'
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return 'Not a value that a header can have'
  return undefined
}
