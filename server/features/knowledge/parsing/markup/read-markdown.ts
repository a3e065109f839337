import { marked } from 'marked'
import { writeText } from '../blocks.ts'
import { decodeText } from '../parse-txt.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'
import { readTree } from './read-markup.ts'
import { writeHtml } from './write-html.ts'

/** GitHub's Markdown, read as the page that it would become. Comments and hidden HTML are left out. */
export function readMarkdown(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const { title, body } = splitFrontMatter(decodeText(bytes).replace(/\r\n?/g, '\n'))
  const writer = writeText(builder)
  if (title) writer.heading(title, 1)
  writeHtml(readTree(marked.parse(limitNesting(body), { async: false }), { xml: false }), writer)
  return builder.finish()
}

/** Site generators put properties between two lines of dashes before the text; only the title is part of it. */
function splitFrontMatter(text: string): { title: string | undefined; body: string } {
  const matter = /^---\n([\s\S]*?)\n(?:---|\.\.\.)(?:\n|$)/.exec(text)
  if (!matter) return { title: undefined, body: text }
  const title = /^title:[ \t]*(.+)$/m.exec(matter[1] ?? '')?.[1]
  return { title: title?.replace(/^(["'])(.*)\1$/, '$2').trim(), body: text.slice(matter[0].length) }
}

/** The parser calls itself for each level of quotes and lists; real texts have fewer than twenty. */
const limitNesting = (text: string): string =>
  text
    .replace(/^(?:[ \t]*>){20,}/gm, '> ')
    .replace(/^(?:[ \t]*[-*+](?=[ \t])){20,}/gm, '- ')
    .replace(/^[ \t]{80,}/gm, '    ')
