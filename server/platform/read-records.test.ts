import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readRecords, UnreadableFile } from './read-records.ts'
import { encodingOf } from './text-encoding/encoding-detector.ts'

async function cellsOf(bytes: Buffer): Promise<string[][]> {
  const cells: string[][] = []
  for await (const { records } of readRecords(Readable.from([bytes]), encodingOf(bytes) ?? 'windows-1252'))
    cells.push(...records.map((record) => record.cells))
  return cells
}

test('a CSV file in ISO-2022-JP is read in spite of its escape sequences', async () => {
  const name = '\x1b$BL>A0\x1b(B'
  const file = Buffer.from(`name,phone\n${`${name},1\n`.repeat(3)}`, 'latin1')
  assert.deepEqual(await cellsOf(file), [['name', 'phone'], ...Array(3).fill(['名前', '1'])])
})

test('other files with control bytes are refused', async () => {
  await assert.rejects(cellsOf(Buffer.from('\x01\x02\x03name,phone\n')), UnreadableFile)
})
