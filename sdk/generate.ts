import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readOperations } from './generator/read-operations.ts'
import { writeOperations, writeTypes } from './generator/write-types.ts'

/**
 * Writes src/generated/ from docs/openapi.json; with `--check` it only reports whether the committed files are up to
 * date.
 */

const folder = join(import.meta.dirname, 'src/generated')
const document = JSON.parse(await readFile(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'))
const operations = readOperations(document)
const files = { 'types.ts': writeTypes(document, operations), 'operations.ts': writeOperations(operations) }

await mkdir(folder, { recursive: true })
for (const [name, wanted] of Object.entries(files)) {
  const path = join(folder, name)
  if (!process.argv.includes('--check')) await writeFile(path, wanted)
  else if (wanted !== (await readFile(path, 'utf8').catch(() => ''))) {
    console.error(`sdk/src/generated/${name} is stale: run npm run docs`)
    process.exitCode = 1
  }
}
