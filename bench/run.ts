import { fork } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Plot } from './harness.ts'

/**
 * `npm run bench [name …]`: runs the benchmarks one after another and writes bench/results.md and its plots. With
 * `--profile`, read and write print what an answer costs by part instead.
 */
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
/** Run only when they are named: one installs other software, the other takes an hour. */
const onDemand = ['peers', 'mixed']
/** Have a profile of an answer. */
const profiled = ['read', 'write']
// npm takes an option without `--` before it for its own, and passes it on like this.
const isProfile = process.argv.includes('--profile') || process.env.npm_config_profile === 'true'
const named = process.argv.slice(2).filter((word) => word !== '--profile')
const wanted = isProfile && named.length === 0 ? profiled : named
const unknown = wanted.filter((name) => ![...all, ...onDemand].includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}: choose from ${[...all, ...onDemand].join(', ')}`)
  process.exit(2)
}
const unprofiled = isProfile ? wanted.filter((name) => !profiled.includes(name)) : []
if (unprofiled.length > 0) {
  console.error(`There is no profile of ${unprofiled.join(', ')}: choose from ${profiled.join(', ')}`)
  process.exit(2)
}

const file = join(import.meta.dirname, 'results.md')
const sections = readSections()
let met = true
for (const name of wanted.length === 0 ? all : [...all, ...onDemand].filter((each) => wanted.includes(each))) {
  const { code, reported } = await runOne(name)
  if (code !== 0) met = false
  for (const { title, markdown, plot } of reported) {
    sections.set(title, markdown)
    if (plot) writePlot(plot)
  }
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
  plot?: Plot
}

function runOne(name: string): Promise<{ code: number | null; reported: Reported[] }> {
  const child = fork(join(import.meta.dirname, `${name}.ts`), isProfile ? ['--profile'] : [])
  const reported: Reported[] = []
  child.on('message', (message) => reported.push(message as Reported))
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, reported })))
}

function writePlot({ file, svg }: Plot): void {
  const folder = join(import.meta.dirname, 'plots')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), svg)
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
