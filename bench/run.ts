import { fork } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'

/** `npm run bench [name …]`: runs the benchmarks one after another and writes bench/results.md. */
const all = [
  'read',
  'write',
  'growth',
  'growth-chat',
  'growth-calls',
  'growth-reports',
  'campaign',
  'hooks-in',
  'hooks-out',
  'ingest',
  'search',
  'retrieval',
  'calls',
  'call-turns',
  'call-words',
  'start',
  'import',
  'fairness',
  'inbox',
]
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose from ${all.join(', ')}`)
  process.exit(2)
}

const file = join(import.meta.dirname, 'results.md')
const sections = readSections()
let met = true
for (const name of all.filter((each) => wanted.length === 0 || wanted.includes(each))) {
  const { code, reported } = await runOne(name)
  if (code !== 0) met = false
  for (const { title, markdown } of reported) sections.set(title, markdown)
  met &&= reported.every((each) => each.met)
}
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`
const head = `# What the benchmarks measured\n\nWritten by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)} (${machine}). Machines differ: read the ratios.\n`
writeFileSync(file, [head, ...[...sections.entries()].sort(byNumber).map(([, markdown]) => markdown)].join('\n'))
console.log(met ? 'Every goal was met.' : 'Some goals were not met: see above.')
process.exit(met ? 0 : 1)

interface Reported {
  title: string
  markdown: string
  met: boolean
}

function runOne(name: string): Promise<{ code: number | null; reported: Reported[] }> {
  const child = fork(join(import.meta.dirname, `${name}.ts`))
  const reported: Reported[] = []
  child.on('message', (message) => reported.push(message as Reported))
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, reported })))
}

/** Results of earlier runs, kept for benchmarks that are not run this time. */
function readSections(): Map<string, string> {
  try {
    const parts = readFileSync(file, 'utf8')
      .split(/^(?=## )/m)
      .slice(1)
    return new Map(parts.map((part) => [part.slice(3, part.indexOf('\n')), `${part.trimEnd()}\n`]))
  } catch {
    return new Map()
  }
}

function byNumber([a]: [string, string], [b]: [string, string]): number {
  return Number.parseInt(a, 10) - Number.parseInt(b, 10)
}
