import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { hostileFiles } from '../../../testing/hostile-files.ts'
import type { HostileFile } from '../../../testing/spoil.ts'
import { UnreadableDocument } from './document.ts'
import { parseDocument } from './parse-document.ts'

async function parse(file: HostileFile, path: string): Promise<string> {
  await writeFile(path, file.bytes)
  try {
    const { text, chunks } = await parseDocument(path, {
      type: file.type,
      limits: { timeMs: file.greedy ? 2000 : 60_000, memoryBytes: 320 << 20, characters: 8_000_000 },
    })
    assert.ok(text.length > 0 && chunks.length > 0 && text.isWellFormed() && !text.includes('\0'))
    return 'read'
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    // A sentence for a person: no path, no stack, no function name.
    assert.match(error.message, /^The(?:re)? [^/\\{}]+\.$|^Reading the file [^/\\{}]+\.$/)
    return error.code
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** What is left after a collection. The size of the process would depend on when the last one happened. */
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

test('hostile files in a row are read or refused, and leave nothing behind', async () => {
  const files = hostileFiles()
  assert.ok(files.length >= 200)
  const folder = await mkdtemp(join(tmpdir(), 'hostile-files-'))
  // Loads what every later file uses too.
  await parse(
    { type: 'txt', name: 'plain', bytes: Buffer.from('We open at nine.') } as HostileFile,
    join(folder, 'plain'),
  )
  const before = heldBytes()
  let next = 0
  const work = async () => {
    for (let i = next++; i < files.length; i = next++) {
      const file = files[i] as HostileFile
      const outcome = await parse(file, join(folder, `${i}`))
      const name = `${file.type}: ${file.name}`
      if (file.refused) assert.ok(file.refused.includes(outcome), `${name} ended ${outcome}`)
    }
  }
  try {
    await Promise.all([work(), work()])
  } finally {
    await rm(folder, { recursive: true })
  }
  const grown = (heldBytes() - before) / 2 ** 20
  assert.ok(grown < 20, `this process holds ${grown.toFixed()} MB more`)
  // Other test files of this process may have children of other kinds.
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ').filter(Boolean)
  const commands = await Promise.all(children.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
  assert.deepEqual(
    commands.filter((command) => command.includes('parser-process')),
    [],
  )
})
