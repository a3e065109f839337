import { createHash } from 'node:crypto'
import { newId } from '../../../platform/ids.ts'
import type { IndexedText } from '../indexing/indexed-text.ts'
import { detectLanguage } from '../parsing/detect-language.ts'
import type { DocumentFile } from '../queries.ts'
import type { NewFaq } from './schema.ts'

/** A model embeds about 200 tokens of a text: a longer answer has several vectors. */
const childCharacters = 700

/** The entry as one chunk. The question, each variant and the answer are embedded apart, so each can be the nearest. */
export async function faqText({ question, answer, variants = [] }: NewFaq): Promise<IndexedText> {
  const children = [...[question, ...variants].map((line) => `${line}\n`), ...inPieces(answer)]
  const text = children.join('')
  const chunk = {
    id: newId(),
    ordinal: 0,
    page: null,
    start_offset: 0,
    end_offset: [...text].length,
    heading: '',
    text,
    child_lengths: children.map((child) => child.length),
  }
  return { title: '', language: await detectLanguage(text), chunks: [chunk] }
}

function inPieces(answer: string): string[] {
  if (answer.length <= childCharacters) return [answer]
  const space = answer.lastIndexOf(' ', childCharacters)
  const cut = space > childCharacters / 2 ? space + 1 : childCharacters
  // Not between the halves of one character.
  const end = /[\ud800-\udbff]/.test(answer[cut - 1] as string) ? cut - 1 : cut
  return [answer.slice(0, end), ...inPieces(answer.slice(end))]
}

/** What a download returns. */
export const faqFileText = ({ question, answer, variants = [] }: NewFaq): string =>
  `${[question, ...variants].map((line) => `Q: ${line}\n`).join('')}A: ${answer}\n`

/** The file facts of the entry's document. No file is stored: a download is made of the entry. */
export function faqFile(faq: NewFaq, file_key: string): DocumentFile {
  const bytes = Buffer.from(faqFileText(faq))
  return {
    document_type: 'txt',
    file_kind: null,
    file_name: `${fileNameOf(faq.question)}.txt`,
    file_key,
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    source: { kind: 'faq' },
  }
}

/** Without characters that file systems refuse, and without those that turn the order of letters. */
export const fileNameOf = (title: string): string =>
  title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\u0000-\u001f\u007f/\\:*?"<>|]+/g, ' ')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
    .toWellFormed()
    .replace(/[. ]+$/, '') || 'Untitled'
