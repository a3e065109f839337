import { type Operation, operations } from '@frontdesk/sdk'

/** A request to the API as curl and as TypeScript. */

export interface ApiCall {
  method: string
  /** Below `/api/v1`, with IDs and query. */
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

/** The URL of the operation in the API reference. */
export function docsAddressOf({ method, path }: ApiCall): string {
  const found = operationOf(method, path)
  if (!found) return '/docs'
  return `/docs#tag/${tagOf[found.group] ?? found.group.toLowerCase()}/${method}/api/v1${found.operation.path}`
}

const tagOf: Record<string, string> = { knowledge: 'knowledge-base', signIn: 'sign-in' }

/** Fixed paths before paths with parameters: `/contacts/export` is not a contact. */
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

/** JavaScript literal: names without quotes, strings in single quotes. */
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
