import { writeText } from '../blocks.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'
import { decodeHtml } from './decode-html.ts'
import { descendants, readTree, textOf } from './read-markup.ts'
import { writeHtml } from './write-html.ts'

/** All visible text of a page but its navigation. */
export function readHtml(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const tree = readTree(decodeHtml(bytes), { xml: false })
  const title = textOf(descendants(tree, 'title')[0]).replace(/\s+/g, ' ').trim()
  const writer = writeText(builder)
  if (title !== '' && !descendants(tree, 'h1').some((heading) => textOf(heading).trim() === title))
    writer.heading(title, 1)
  writeHtml(tree, writer, ({ name }) => name === 'nav')
  return builder.finish()
}
