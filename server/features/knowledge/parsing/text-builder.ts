import { type Heading, type Page, UnreadableDocument } from './document.ts'

/** A parser's result, before its language is detected. */
export interface ExtractedText {
  text: string
  pages: Page[]
  headings: Heading[]
}

/** Large print is not always a heading: longer lines, or more than this many, are not. */
const maxHeading = 300
const maxHeadings = 20_000

export type TextBuilder = ReturnType<typeof createTextBuilder>

/** Collects a document piece by piece and stops when it exceeds the limit. */
export function createTextBuilder(maxCharacters: number) {
  const parts: string[] = []
  const pages: Page[] = []
  const headings: Heading[] = []
  let length = 0
  let page: Page | undefined
  let nothingBefore = true

  function append(text: string) {
    length += text.length
    if (length > maxCharacters)
      throw new UnreadableDocument(
        'too_long',
        `The document has more than ${maxCharacters.toLocaleString('en')} characters of text. Split it into smaller files.`,
      )
    parts.push(text)
    if (page) page.end = length
  }

  function add(text: string, separator = '\n\n') {
    if (text === '') return
    if (!nothingBefore) append(separator)
    nothingBefore = false
    append(text)
  }

  return {
    /** `separator` goes before the text unless it is the first of its page. */
    add,
    addHeading(text: string, level: number) {
      add(text)
      if (text !== '' && text.length <= maxHeading && headings.length < maxHeadings)
        headings.push({ offset: length - text.length, level, text })
    },
    /** Text added from here on is on this page. */
    startPage(number: number) {
      page = undefined
      if (length > 0) append('\n\n')
      page = { number, start: length, end: length }
      pages.push(page)
      nothingBefore = true
    },
    finish: (): ExtractedText => ({ text: parts.join(''), pages, headings }),
  }
}
