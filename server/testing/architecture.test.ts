import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'
import { partsOf, readWords } from '../../tools/lexicon/read-words.ts'

/**
 * The import graph of the whole repository, type imports included. ARCHITECTURE.md says which imports are allowed:
 * `main → app → features → (provider contracts, platform)`.
 */
const root = join(import.meta.dirname, '../..')
const isTest = (file: string) => /\.test\.tsx?$|^(server|sdk|console)\/testing\//.test(file)

const texts = new Map(
  globSync('{server,simulator,sdk,console,bench,tools}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const imports = readImports()

function readImports(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const [file, text] of texts) {
    const targets = new Set<string>()
    for (const [, specifier] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+\.tsx?)'/g))
      targets.add(relative(root, resolve(root, dirname(file), specifier as string)))
    graph.set(file, targets)
  }
  return graph
}

const edges = [...imports].flatMap(([from, targets]) => [...targets].map((to) => ({ from, to })))

function assertNone(found: { from: string; to: string }[], rule: string): void {
  assert.deepEqual(
    found.map(({ from, to }) => `${from} → ${to}`),
    [],
    rule,
  )
}

/** Strongly connected components (Tarjan). */
function cyclesOf(graph: Map<string, Set<string>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): number => {
    let low = order.size
    order.set(node, low)
    lowest.set(node, low)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, lowest.get(next) as number)
    }
    lowest.set(node, low)
    if (low !== order.get(node)) return low
    const group = stack.splice(stack.indexOf(node))
    if (group.length > 1) cycles.push(group.sort())
    return low
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return cycles
}

const ofFolder = (path: string, depth: number) => path.split('/').slice(0, depth).join('/')

test('the import graph is not empty', () => {
  assert.ok(imports.size > 900, `${imports.size} files`)
  assert.ok(edges.some(({ to }) => to.endsWith('.tsx')))
})

test('there are no import cycles, type imports included', () => {
  assert.deepEqual(cyclesOf(imports), [])
})

test('features have no cyclic dependencies', () => {
  const graph = new Map<string, Set<string>>()
  for (const { from, to } of edges) {
    if (isTest(from) || !from.startsWith('server/features/') || !to.startsWith('server/features/')) continue
    const [one, other] = [ofFolder(from, 3), ofFolder(to, 3)]
    if (one !== other) graph.set(one, (graph.get(one) ?? new Set()).add(other))
  }
  assert.ok(graph.size > 0)
  assert.deepEqual(cyclesOf(graph), [])
})

test('a feature never imports the SQL of another', () => {
  assertNone(
    edges.filter(
      ({ from, to }) =>
        !isTest(from) &&
        !from.startsWith('bench/') &&
        to.startsWith('server/features/') &&
        to.endsWith('queries.ts') &&
        ofFolder(from, 3) !== ofFolder(to, 3),
    ),
    'call a verb of the other feature, not its SQL',
  )
})

/** Which folders and files a folder may import, besides itself. Folders that are not listed may import everything. */
const allowed: Record<string, string[]> = {
  'server/platform': [],
  'server/providers': ['server/platform'],
  simulator: ['server/platform', 'server/providers/speech/contract.ts'],
  'server/features': ['server/platform', 'server/providers'],
  'server/settings': ['server/platform', 'server/providers'],
  sdk: [],
  console: ['sdk'],
}

test('imports point down only', () => {
  assertNone(
    edges.filter(({ from, to }) => {
      const folder = Object.keys(allowed).find((path) => from.startsWith(`${path}/`))
      if (!folder || isTest(from)) return false
      return ![folder, ...(allowed[folder] ?? [])].some((path) => to === path || to.startsWith(`${path}/`))
    }),
    'take what you need as an argument: this folder is called from above',
  )
})

test('only tests import testing/', () => {
  assertNone(
    edges.filter(({ from, to }) => !isTest(from) && !from.startsWith('bench/') && to.startsWith('server/testing/')),
    'production code must not need test helpers',
  )
})

/** Names of feature folders that mean something else in the platform; `in` limits that to one file. */
const otherMeanings: { words: string; in?: string; meaning: string }[] = [
  { words: 'organization organizations', meaning: 'the tenant' },
  { words: 'event events', meaning: 'the outbox of every feature; an event of Node' },
  { words: 'file files stream streams', meaning: 'of Node' },
  { words: 'hook hooks', meaning: 'of Fastify and Node' },
  { words: 'call', meaning: 'what a handler is given; to call a function or another service' },
  { words: 'channel', meaning: 'of a PostgreSQL notification' },
  { words: 'schedule schedules', meaning: 'when a job runs' },
  { words: 'installation', meaning: 'the service as it was installed, and its table of facts' },
  { words: 'report reports', meaning: 'a read that may come from a replica' },
  { words: 'agent', in: 'outbound-fetch.ts', meaning: 'the connection pool of undici' },
  { words: 'agent mcp', in: 'http/docs.ts', meaning: 'options of the page that shows the API reference' },
  { words: 'notification', in: 'signals.ts', meaning: 'of PostgreSQL' },
  { words: 'template', in: 'database-encoding.ts', meaning: 'a database that another one is copied from' },
  { words: 'template', in: 'sql.ts', meaning: 'a template literal' },
]

test('the platform names no feature in its identifiers and strings', () => {
  const folders = readdirSync(join(root, 'server/features')).map((folder) => folder.replaceAll('-', ' '))
  const singulars = folders.map((folder) => folder.replace(/ies$/, 'y').replace(/s$/, ''))
  const nouns = new RegExp(
    `\\b(?:${singulars.flatMap((noun) => [noun, `${noun}s`]).join('|')}|${folders.join('|')})\\b`,
    'gi',
  )
  assert.ok('POST /contacts to the inbox'.match(nouns)?.length === 2)
  const found = [...imports.keys()]
    .filter((file) => file.startsWith('server/platform/') && !isTest(file))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8')
      const code = readWords(source, 'ts')
        .filter(({ kind }) => kind === 'comment')
        .reduce((text, comment) => text.replace(comment.text, ''), source)
      const named = new Set([...partsOf(code).matchAll(nouns)].map(([noun]) => noun.toLowerCase()))
      for (const { words, in: only } of otherMeanings)
        if (!only || file === `server/platform/${only}`) for (const word of words.split(' ')) named.delete(word)
      return [...named].map((noun) => `${file}: ${noun}`)
    })
  assert.deepEqual(found, [], 'let the feature declare it, or pass it in from app.ts')
})

/** Files whose exports are used otherwise than by name in an import of this repository. */
const usedOtherwise = [
  /^sdk\/src\/(index\.ts|generated\/)/, // the public surface of the package
  /^sdk\/generator\/write-types\.ts/, // prints lines that begin with `export`
  /^console\/src\/pages\/.*-page\.tsx/, // the router renders the only export of a page
  /^server\/cli\/cli\.ts/, // started by server/bin/frontdesk.js
]

test('every export is imported, and not only by tests unless its own file uses it too', () => {
  const wordsOf = (text: string) => text.match(/\w+/g) ?? []
  const words = new Map([...texts].map(([file, text]) => [file, new Set(wordsOf(text))]))
  const importers = new Map<string, string[]>()
  for (const { from, to } of edges) importers.set(to, [...(importers.get(to) ?? []), from])
  const unused: string[] = []
  for (const [file, text] of texts) {
    if (file.endsWith('.test.ts') || usedOtherwise.some((path) => path.test(file))) continue
    const all = wordsOf(text)
    for (const [, name] of text.matchAll(/^export (?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm)) {
      const users = (importers.get(file) ?? []).filter((from) => words.get(from)?.has(name as string))
      const isInternal = isTest(file) || all.filter((word) => word === name).length > 1
      if (users.length === 0 || (!isInternal && users.every(isTest))) unused.push(`${file} ${name}`)
    }
  }
  assert.deepEqual(unused, [], 'remove the export, or the code that only tests use')
})

/** npm before 11 ignores `allowScripts` and runs the script of every package that the lockfile marks. */
test('only packages that package.json allows run a script when they are installed', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
  const packages = Object.entries<{ hasInstallScript?: boolean }>(read('package-lock.json').packages)
  const names = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace('node_modules/', ''))
  const { allowScripts } = read('package.json')
  assert.deepEqual(
    names.filter((name) => !allowScripts[name]),
    [],
    'remove hasInstallScript from these in package-lock.json',
  )
})
