import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { migrateEverything } from '../cli/migrate-everything.ts'
import { readSettings } from '../config.ts'
import { buildOpenApi } from '../platform/http/openapi.ts'
import { openDatabase } from '../services/open-database.ts'
import { aboutApi } from './about.ts'
import { configurationPage } from './configuration-page.ts'
import { withEndedReasons } from './ended-reasons.ts'
import { lintOpenApi } from './lint-openapi.ts'
import { withLogEvents } from './log-events.ts'

/** `npm run docs` writes the generated files; with `--check` it only reports whether those committed are up to date. */

const docs = join(import.meta.dirname, '../../docs')

/** The operations of the whole app, started on a temporary database. */
async function describeApi(): Promise<object> {
  const dataDir = await mkdtemp(join(tmpdir(), 'frontdesk-docs-'))
  // An empty environment: the output must be the same on every machine.
  const settings = { ...readSettings({ ROLE: 'api' }), DATA_DIR: dataDir }
  try {
    const opened = await openDatabase(settings, () => {})
    try {
      await migrateEverything(opened)
      const app = await createApp({ ...opened, settings, log: pino({ level: 'silent' }) })
      await app.close()
      return buildOpenApi(app.routes.operations, aboutApi(settings))
    } finally {
      await opened.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const openApi = await describeApi()
const pages = {
  'openapi.json': `${JSON.stringify(openApi, null, 2)}\n`,
  'configuration.md': configurationPage(),
  'guides/calls.md': withEndedReasons(await readFile(join(docs, 'guides/calls.md'), 'utf8')),
  'guides/observability.md': withLogEvents(await readFile(join(docs, 'guides/observability.md'), 'utf8')),
}

const problems = await lintOpenApi(openApi)
for (const [name, wanted] of Object.entries(pages)) {
  const path = join(docs, name)
  if (!process.argv.includes('--check')) await writeFile(path, wanted)
  else if (wanted !== (await readFile(path, 'utf8').catch(() => '')))
    problems.push(`docs/${name} is stale: run npm run docs`)
}
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
