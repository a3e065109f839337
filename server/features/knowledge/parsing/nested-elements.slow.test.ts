import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBytes } from './parse-bytes.ts'

test('a hundred thousand nested elements are read', async () => {
  const deep = (open: string, close: string) => `${open.repeat(100_000)}deep${close.repeat(100_000)}`
  for (const [type, content] of [
    ['html', deep('<div>', '</div>')],
    ['md', deep('> ', '')],
    ['rtf', `{\\rtf1 ${deep('{', '}')}}`],
  ] as const) {
    const { text } = await parseBytes(Buffer.from(content), {
      type,
      characters: 1_000_000,
      engine: 'javascript',
      onProgress: () => {},
    })
    assert.match(text, /deep/, type)
  }
})

test('a page of 500,000 nested elements is refused before the time limit', async () => {
  for (const content of ['<div>'.repeat(500_000), '<ul><li>x'.repeat(250_000)])
    await assert.rejects(
      parseBytes(Buffer.from(content), {
        type: 'html',
        characters: 1_000_000,
        engine: 'javascript',
        onProgress: () => {},
      }),
      { code: 'damaged', message: /nested too deeply/ },
    )
})
