import { type Operation, operations } from '@frontdesk/sdk'

/** A request of the API as an integrator would write it. */

export interface ApiCall {
  method: string
  /** Below `/api/v1`, with its ids and, behind a `?`, its query. */
  path: string
  body?: unknown
}

const key = '$FRONTDESK_KEY'

const inShell = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

export function curlOf({ method, path, body }: ApiCall, origin: string): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${inShell(`${origin}/api/v1${path}`)}`]
  parts.push(`-H "Authorization: Bearer ${key}"`)
  if (body === undefined) return parts.join(' \\\n  ')
  if (isForm(method, path)) {
    for (const [name, value] of Object.entries(body as object)) parts.push(`-F ${inShell(`${name}=${value}`)}`)
  } else {
    parts.push("-H 'Content-Type: application/json'")
    parts.push(`-d ${inShell(JSON.stringify(body))}`)
  }
  return parts.join(' \\\n  ')
}

export function sdkOf({ method, path, body }: ApiCall): string | undefined {
  const found = operationOf(method, path)
  if (!found) return undefined
  const { group, name, operation, ids } = found
  const query = queryOf(path)
  const given = [...ids, ...(body === undefined ? [] : [body]), ...(query ? [body ? { query } : query] : [])]
  const call = `frontdesk.${group}.${name}(${given.map((each) => literal(each)).join(', ')})`
  return operation.answer === 'events' ? `for await (const event of ${call}) console.log(event)` : `await ${call}`
}

/** The operation's place in the API reference. */
export function docsAddressOf({ method, path }: ApiCall): string {
  const found = operationOf(method, path)
  if (!found) return '/docs'
  return `/docs#tag/${tagOf[found.group] ?? found.group.toLowerCase()}/${method}/api/v1${found.operation.path}`
}

const tagOf: Record<string, string> = { knowledge: 'knowledge-base', signIn: 'sign-in' }

/** Fixed paths before those with an id in their place: `/contacts/export` is no contact. */
const all = Object.entries(operations)
  .flatMap(([group, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([name, operation]) => ({
      group,
      name,
      operation,
      pattern: new RegExp(`^${operation.path.replaceAll('.', String.raw`\.`).replace(/\{\w+\}/g, '([^/]+)')}$`),
      parameters: operation.path.split('{').length,
    })),
  )
  .sort((one, other) => one.parameters - other.parameters)

function operationOf(method: string, path: string) {
  const [address = ''] = path.split('?')
  for (const each of all) {
    const match = each.operation.method === method ? each.pattern.exec(address) : null
    if (match) return { ...each, ids: match.slice(1).map(decodeURIComponent) }
  }
  return undefined
}

const isForm = (method: string, path: string) => {
  const operation = operationOf(method, path)?.operation
  return Boolean(operation?.form && !operation.json)
}

function queryOf(path: string): Record<string, unknown> | undefined {
  const [, query] = path.split('?')
  if (!query) return undefined
  const read = (name: string, value: string) => {
    if (value === 'true' || value === 'false') return value === 'true'
    return ['limit', 'offset', 'page', 'page_size'].includes(name) ? Number(value) : value
  }
  return Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, read(name, value)]))
}

/** As one writes it by hand: names without quotes, text in single ones. */
function literal(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (value === null || typeof value !== 'object') return String(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) return '{}'
  const named = members.map(
    ([name, member]) => `${/^[a-z_]\w*$/i.test(name) ? name : literal(name)}: ${literal(member)}`,
  )
  return `{ ${named.join(', ')} }`
}
