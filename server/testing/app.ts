import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { ClientConfig } from 'pg'
import { pino } from 'pino'
import { type App, createApp } from '../app.ts'
import { readSettings, type Settings } from '../config.ts'
import { createKey } from '../features/organizations/create-key.ts'
import { createOrganization } from '../features/organizations/create-organization.ts'
import type { Scope } from '../features/organizations/schema.ts'
import type { Subscription } from '../platform/events.ts'
import type { Log } from '../platform/log.ts'
import { afterProcess } from './after-process.ts'
import { stopProcesses } from './process.ts'
import { cloneDatabase, serverVariable, type TestServer } from './server.ts'

export interface Reply {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // Tests look into answers freely; what they find is asserted, not typed.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  text: string
}

/** Asserts the status of a response and returns its body. */
export function ok({ status, body, text }: Reply, expected = 200): Reply['body'] {
  assert.equal(status, expected, text)
  return body
}

/** Asserts that a request succeeded and returns the body of its response. */
export function bodyOf({ status, body, text }: Reply): Reply['body'] {
  assert.ok(status < 300, `${status} ${text}`)
  return body
}

/** Calls the API with a credential. */
export type CallAs = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

export interface TestApp extends App {
  connection: ClientConfig
  tenantConnection: ClientConfig
  settings: Settings
  /** Without a credential, or with the test's own headers. */
  call: CallAs
  /** With this token. */
  as(token: string): CallAs
  /** A new organization with a full-access key, in test mode by default. */
  organization(options?: {
    name?: string
    mode?: 'test' | 'live'
    scopes?: Scope[]
    owner?: string
  }): Promise<TestOrganization>
  /** Another key of that organization. */
  key(
    organizationId: string,
    options?: { mode?: 'test' | 'live'; scopes?: Scope[]; expiresAt?: string; createdBy?: string | null },
  ): Promise<{ id: string; secret: string }>
  /** Listens on a free port, so that the simulator's webhooks arrive; returns the URL. */
  listen(): Promise<string>
  /** Calls the simulator itself, as in `control('PATCH', 'knobs', {…})`. */
  control(method: string, path: string, body?: unknown): Promise<Reply>
  /** A second node on the same database. */
  node(settings?: TestSettings, subscriptions?: Subscription[]): Promise<TestApp>
}

export interface TestOrganization {
  id: string
  ownerId: string | null
  key: string
  keyId: string
  call: CallAs
}

/** Undefined unsets one that has a value by default or in the environment. */
type TestSettings = { [Name in keyof Settings]?: Settings[Name] | undefined }

export interface TestAppOptions {
  settings?: TestSettings
  subscriptions?: Subscription[]
  /** Called before the server is ready, to add the test's own routes. */
  prepare?: (app: App) => void
  /** Silent unless the test reads the log. */
  log?: Log
  /** The current date, where it matters. */
  now?: () => Date
}

/** The whole app on its own database, closed and dropped when the test file ends. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  return openTestApp(options, after)
}

let shared: Promise<TestApp> | undefined

/**
 * The app that the test files of a process share, because starting one takes longer than many files: for tests that stay
 * within their own organizations and change nothing else.
 */
export async function sharedTestApp(): Promise<TestApp> {
  shared ??= openTestApp({}, afterProcess).then((app) => ({
    ...app,
    // Another node ends with the file, or with the test, that started it.
    async node(...settings) {
      const node = await app.node(...settings)
      after(() => node.close())
      return node
    },
  }))
  // Awaited here: a file that awaited this promise itself would continue as part of the file that started the app.
  return await shared
}

async function openTestApp(options: TestAppOptions, atEnd: (end: () => Promise<void>) => void): Promise<TestApp> {
  const server: TestServer = JSON.parse(process.env[serverVariable] ?? 'null')
  if (!server) throw new Error('run tests with `npm test`: it starts the database that they clone')
  const { drop, ...connections } = await cloneDatabase(server)
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-test-'))
  const nodes: Pick<App, 'close'>[] = []
  atEnd(async () => {
    await stopProcesses(dataDir)
    await Promise.all(nodes.map((node) => node.close()))
    await drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  return startNode(connections, { ...options, settings: { DATA_DIR: dataDir, ...options.settings } }, nodes)
}

async function startNode(
  connections: Pick<TestApp, 'connection' | 'tenantConnection'>,
  options: TestAppOptions,
  nodes: Pick<App, 'close'>[],
): Promise<TestApp> {
  const settings = {
    ...readSettings({ SECRET_KEY: 'a secret key that only tests would use', LOG_LEVEL: 'silent' }),
    DATABASE_POOL_SIZE: 6,
    // On every machine alike.
    ORGANIZATION_CONNECTIONS: 2,
    // Live organizations cannot reach WhatsApp unless the test sets a URL.
    GRAPH_API_BASE_URL: 'http://127.0.0.1:9',
    // The same for the provider whose key the examples of the API test.
    DEEPGRAM_BASE_URL: 'http://127.0.0.1:9',
    // Operators of tests have none, unless the test is about it.
    OPERATOR_SECOND_FACTOR: 'never',
    // An agent finds its documents on the slowest machine too.
    KNOWLEDGE_SEARCH_MS: 60_000,
    // Simulated delays are skipped.
    SIMULATOR_SPEED: 0,
    ...options.settings,
  } as Settings
  const log = options.log ?? pino({ level: process.env.TEST_LOG ?? 'silent' })
  const app = await createApp({
    ...connections,
    settings,
    log,
    checkRows: true,
    ...(options.subscriptions && { subscriptions: options.subscriptions }),
    ...(options.now && { now: options.now }),
  })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= app.close())
  let listening: Promise<string> | undefined
  nodes.push({ close })
  options.prepare?.(app)
  await app.server.ready()

  const callWith =
    (defaults: Record<string, string>): CallAs =>
    async (method, path, body, headers = {}) => {
      const isText = typeof body === 'string' || body instanceof Uint8Array
      const answer = await app.server.inject({
        method: method as 'GET',
        url: path.startsWith('/') ? path : `/api/v1/${path}`,
        headers: {
          ...defaults,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && {
          payload: body instanceof Uint8Array ? Buffer.from(body) : isText ? (body as string) : JSON.stringify(body),
        }),
      })
      const isJson = String(answer.headers['content-type']).startsWith('application/json')
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.body,
        body: isJson ? answer.json() : undefined,
      }
    }
  const as = (token: string) => callWith({ authorization: `Bearer ${token}` })

  return {
    ...app,
    ...connections,
    close,
    settings,
    call: callWith({}),
    as,
    async listen() {
      listening ??= app.server.listen({ host: '127.0.0.1', port: 0 })
      return await listening
    },
    async control(method, path, body) {
      const answer = await fetch(`${await app.simulator.url()}/simulator/${path}`, {
        method,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text, body: JSON.parse(text) }
    },
    node: (more, subscriptions = []) => {
      const { log, now } = options
      const settings = { ...options.settings, ...more }
      return startNode(connections, { settings, subscriptions, ...(log && { log }), ...(now && { now }) }, nodes)
    },
    async organization({ name = 'Acme', mode = 'test', scopes = ['full_access'] as Scope[], owner } = {}) {
      return app.database.inSystem(async (tx) => {
        const { organization, ownerId } = await createOrganization(tx, {
          name,
          ...(owner && { owner: { email: owner, name: 'Olive Owner' } }),
        })
        const key = await createKey(tx, {
          organizationId: organization.id,
          name: 'test',
          mode,
          scopes,
          createdBy: ownerId,
        })
        return { id: organization.id, ownerId, key: key.secret, keyId: key.id, call: as(key.secret) }
      })
    },
    key: (organizationId, { mode = 'test', scopes = ['full_access'] as Scope[], expiresAt, createdBy = null } = {}) =>
      createKey(app.database.forSystem(), {
        organizationId,
        name: 'test',
        mode,
        scopes,
        expiresAt: expiresAt ?? null,
        createdBy,
      }),
  }
}
