import { resolve } from 'node:path'
import type { Static, TIntersect, TSchema } from 'typebox'
import { isLoopback } from './platform/loopback.ts'
import { AgentSettings } from './settings/agents.ts'
import { CallSettings, callProblems } from './settings/calls.ts'
import { DatabaseSettings, databaseProblems } from './settings/database.ts'
import { EmailSettings, emailProblems } from './settings/email.ts'
import { KnowledgeSettings, knowledgeProblems } from './settings/knowledge.ts'
import { LimitSettings } from './settings/limits.ts'
import { ObservabilitySettings } from './settings/observability.ts'
import { OrganizationSettings, organizationProblems } from './settings/organizations.ts'
import { OutgoingRequestSettings, outgoingRequestProblems } from './settings/outgoing-requests.ts'
import { readSetting } from './settings/read-setting.ts'
import { RetentionSettings } from './settings/retention.ts'
import { ServerSettings } from './settings/server.ts'
import { SignInSettings, signInProblems } from './settings/sign-in.ts'
import { SpeechSettings } from './settings/speech.ts'
import { StorageSettings, storageProblems } from './settings/storage.ts'
import { TestModeSettings, testModeProblems } from './settings/test-mode.ts'
import { WebhookSettings } from './settings/webhooks.ts'
import { WhatsAppSettings, whatsAppProblems } from './settings/whatsapp.ts'

/** Every setting, by subject, in the order of docs/configuration.md. */
export const sections = [
  ServerSettings,
  StorageSettings,
  DatabaseSettings,
  OrganizationSettings,
  SignInSettings,
  EmailSettings,
  OutgoingRequestSettings,
  LimitSettings,
  RetentionSettings,
  WhatsAppSettings,
  CallSettings,
  SpeechSettings,
  AgentSettings,
  KnowledgeSettings,
  WebhookSettings,
  TestModeSettings,
  ObservabilitySettings,
] as const

/** Validated at start and passed down as one object. */
export type Settings = Static<TIntersect<[...typeof sections]>>

/** What is wrong with the settings, one line each, for the operator. */
export class SettingsError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

export function readSettings(env: Record<string, string | undefined>): Settings {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const { properties } of sections)
    for (const [name, schema] of Object.entries<TSchema>(properties)) {
      const { value, problem } = readSetting(name, schema, env)
      if (problem !== undefined) problems.push(problem)
      else if (value !== undefined) values[name] = value
    }
  // The rules between settings hold for valid ones only.
  if (problems.length === 0) problems.push(...problemsBetween(values as Settings))
  if (problems.length > 0) throw new SettingsError(problems)
  const settings = values as Settings
  return { ...settings, DATA_DIR: resolve(settings.DATA_DIR) }
}

function* problemsBetween(settings: Settings): Iterable<string> {
  yield* storageProblems(settings)
  yield* databaseProblems(settings)
  yield* organizationProblems(settings)
  yield* signInProblems(settings)
  yield* emailProblems(settings)
  yield* outgoingRequestProblems(settings)
  yield* whatsAppProblems(settings)
  yield* callProblems(settings)
  yield* knowledgeProblems(settings)
  yield* testModeProblems(settings)
}

export const isEmbedded = (settings: Settings): boolean => settings.DATABASE_URL === undefined

/** An embedded run that only this machine can reach: it may print keys and sign-in links on the terminal. */
export const isLocal = (settings: Settings): boolean => isEmbedded(settings) && isLoopback(settings.HOST)

/** Most balancers check every one or two seconds. None is in front of a worker or of an embedded run on loopback. */
export const drainDelayMs = (settings: Settings): number =>
  settings.ROLE === 'worker' ? 0 : (settings.DRAIN_DELAY_SECONDS ?? (isLocal(settings) ? 0 : 3)) * 1000
