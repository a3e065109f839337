import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenLocally } from './listen-locally.ts'
import { answerAboutNumber, createPlatformNumbers, type PlatformNumbers } from './platform-numbers.ts'

/**
 * A Graph-compatible server with templates for tests in live mode. It proves that the code does not depend on behavior
 * that only our own simulator has, and fails in ways that the simulator does not.
 */
export interface TemplatePlatform {
  url: string
  token: string
  /** The templates of each business account. */
  accounts: Map<string, RemoteTemplate[]>
  library: object[]
  numbers: PlatformNumbers
  /** The received requests, oldest first. */
  asked: Asked[]
  /** The behavior for the next requests of each kind; later ones are answered normally. */
  next: Record<Kind, Behaviour[]>
  /** The review result of a created template. */
  verdict: { status: string; category?: string }
  /** Adds a template as if it were created with the platform's own tools. */
  add(account: string, template: Partial<RemoteTemplate> & { name: string }): RemoteTemplate
  requests(kind: Kind): Asked[]
}

type Kind = 'create' | 'list' | 'get' | 'delete' | 'library'

interface RemoteTemplate {
  id: string
  name: string
  language: string
  status: string
  category: string
  components: object[]
  quality_score?: object
  rejected_reason?: string
}

interface Asked {
  kind: Kind
  account: string
  query: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into requests freely
  json: any
}

type Behaviour =
  | { status: number; json?: object; text?: string }
  /** Does nothing and resets the connection. */
  | 'hang up'
  /** Executes the request and resets the connection. */
  | 'do it and hang up'
  /** Executes the request and delays the response until the test continues. */
  | { afterwards: () => Promise<unknown> }
  /** Waits for the test, then executes the request. */
  | (() => Promise<unknown>)

export const refusal = (code: number, { subcode, message = 'No' }: { subcode?: number; message?: string } = {}) => ({
  status: code === 190 ? 401 : 400,
  json: { error: { message, type: 'OAuthException', code, error_subcode: subcode, fbtrace_id: 'AbC' } },
})

const pageSize = 2
let ids = 810_200_300_400_500_001n

export async function startTemplatePlatform(): Promise<TemplatePlatform> {
  const platform: TemplatePlatform = {
    url: '',
    token: 'EAAtemplates',
    accounts: new Map(),
    library: [],
    numbers: createPlatformNumbers(),
    asked: [],
    next: { create: [], list: [], get: [], delete: [], library: [] },
    verdict: { status: 'PENDING' },
    add(account, template) {
      const added = {
        id: String(ids++),
        language: 'en_US',
        status: 'APPROVED',
        category: 'UTILITY',
        components: [{ type: 'BODY', text: `This is ${template.name} as the platform has it.` }],
        ...template,
      }
      platform.accounts.set(account, [...(platform.accounts.get(account) ?? []), added])
      return added
    },
    requests: (kind) => platform.asked.filter((each) => each.kind === kind),
  }
  const server = createServer((request, response) => {
    void answer(platform, request, response).catch((error) => response.destroy(error))
  })
  const { url } = await listenLocally(server)
  platform.url = url
  return platform
}

async function answer(platform: TemplatePlatform, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request)).toString()
  const url = new URL(request.url ?? '/', 'http://platform')
  const [, , first = '', edge] = url.pathname.split('/')
  const number = answerAboutNumber(platform.numbers, request.method, url)
  const asked: Asked = {
    kind: kindOf(request.method, first, edge),
    account: first,
    query: Object.fromEntries(url.searchParams),
    json: body && JSON.parse(body),
  }
  if (!number) platform.asked.push(asked)
  const send = ({ status, json, text }: { status: number; json?: object; text?: string }) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(text ?? JSON.stringify(json))
  const behaviour = number ? undefined : platform.next[asked.kind].shift()
  if (behaviour === 'hang up') return void request.socket.resetAndDestroy()
  if (typeof behaviour === 'function') await behaviour()
  else if (typeof behaviour === 'object' && 'status' in behaviour) return send(behaviour)
  // Accepts any token: a channel whose token the platform refuses cannot be connected, and tests need tokens that
  // expire later.
  if (number) return send({ status: 200, json: number })
  if (request.headers.authorization !== `Bearer ${platform.token}`)
    return send(refusal(190, { message: 'Error validating access token' }))
  const result = reactions[asked.kind](platform, asked)
  if (behaviour === 'do it and hang up') return void request.socket.resetAndDestroy()
  if (typeof behaviour === 'object') await behaviour.afterwards()
  send('status' in result && 'json' in result ? (result as { status: number }) : { status: 200, json: result })
}

function kindOf(method: string | undefined, first: string, edge: string | undefined): Kind {
  if (first === 'message_template_library') return 'library'
  if (edge !== 'message_templates') return 'get'
  return method === 'POST' ? 'create' : method === 'DELETE' ? 'delete' : 'list'
}

const reactions: Record<Kind, (platform: TemplatePlatform, asked: Asked) => object> = {
  create(platform, { account, json }) {
    const { name, language, category, components, library_template_name } = json
    const there = platform.accounts.get(account) ?? []
    if (there.some((each) => each.name === name && each.language === language))
      return refusal(100, { subcode: 2388024, message: 'There is already English (US) content for this template' })
    const item = platform.library.find((each) => (each as { name: string }).name === library_template_name) as
      | { body: string }
      | undefined
    if (library_template_name && !item)
      return refusal(100, { message: `There is no library template ${library_template_name}` })
    const made = platform.add(account, {
      name,
      language,
      category,
      ...platform.verdict,
      components: item ? [{ type: 'BODY', text: item.body }] : components,
    })
    return { id: made.id, status: made.status, category: made.category }
  },
  list(platform, { account, query }) {
    const all = (platform.accounts.get(account) ?? []).filter(({ name }) => name.includes(query.name ?? ''))
    const start = Number(query.after ?? 0)
    const end = start + pageSize
    const cursors = { before: String(start), after: String(end) }
    const next = end < all.length && { next: `https://elsewhere.example/?after=${end}` }
    return { data: all.slice(start, end), paging: { cursors, ...next } }
  },
  get(platform, { account: id }) {
    const found = [...platform.accounts.values()].flat().find((each) => each.id === id)
    return found ?? refusal(100, { subcode: 33, message: 'Unsupported get request' })
  },
  delete(platform, { account, query }) {
    const there = platform.accounts.get(account) ?? []
    const left = there.filter(({ id, name }) => (query.hsm_id ? id !== query.hsm_id : name !== query.name))
    if (left.length === there.length) return refusal(100, { message: 'Message template not found' })
    platform.accounts.set(account, left)
    return { success: true }
  },
  library: (platform, { query }) => ({
    data: platform.library.filter((item) => {
      const { name, body } = item as { name: string; body: string }
      return (!query.name || name === query.name) && `${name} ${body}`.includes(query.search ?? '')
    }),
  }),
}
