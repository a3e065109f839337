import { posix } from 'node:path'
import { type Archive, openArchive } from '../archive.ts'
import { writeText } from '../blocks.ts'
import { UnreadableDocument } from '../document.ts'
import type { ExtractedText, TextBuilder } from '../text-builder.ts'
import {
  attribute,
  child,
  childrenNamed,
  descendants,
  isElement,
  type MarkupElement,
  readTree,
  textOf,
} from './read-markup.ts'
import { writeHtml } from './write-html.ts'

/** The chapters in their order, under their own headings or those of the table of contents. */
export function readEpub(bytes: Buffer, builder: TextBuilder): ExtractedText {
  const archive = openArchive(bytes, 'epub')
  refuseEncrypted(archive)
  const container = archive.tree('META-INF/container.xml')
  const packagePart = attribute(descendants(container, 'rootfile')[0] ?? noPackage(), 'full-path') ?? ''
  const book = child(archive.tree(packagePart), 'package') ?? noPackage()
  const folder = posix.dirname(packagePart)
  const items = new Map(
    childrenNamed(child(book, 'manifest'), 'item').map((item) => [attribute(item, 'id') ?? '', item]),
  )
  const partOf = (item: MarkupElement | undefined) => (item ? inArchive(folder, attribute(item, 'href') ?? '') : '')
  const titles = chapterTitles(
    archive,
    [...items.values()].map((item) => ({ item, part: partOf(item) })),
  )
  const writer = writeText(builder)
  for (const reference of childrenNamed(child(book, 'spine'), 'itemref')) {
    const item = items.get(attribute(reference, 'idref') ?? '')
    // The table of contents is made of headings that follow anyway.
    if (!item || /\bnav\b/.test(attribute(item, 'properties') ?? '')) continue
    const content = archive.bytes(partOf(item))
    if (!content) continue
    const page = readTree(content, { xml: false })
    embedStyles(archive, partOf(item), page)
    const title = titles.get(partOf(item))
    if (title && !hasHeading(page)) writer.heading(title, 1)
    writeHtml(page, writer)
  }
  return builder.finish()
}

function noPackage(): never {
  throw new UnreadableDocument('damaged', 'The EPUB book is damaged and cannot be read.')
}

/** Many publishers scramble the fonts only; what matters is whether their text is. */
function refuseEncrypted(archive: Archive): void {
  const encrypted = descendants(archive.tree('META-INF/encryption.xml'), 'CipherReference')
  if (encrypted.some((each) => /\.(?:x?html?|xml)$/i.test(attribute(each, 'URI') ?? '')))
    throw new UnreadableDocument('encrypted', 'The EPUB book is protected (DRM). Upload a copy without protection.')
}

function inArchive(folder: string, href: string): string {
  const path = href.split('#')[0] as string
  try {
    return posix.join(folder, decodeURIComponent(path))
  } catch {
    return posix.join(folder, path)
  }
}

/** Style sheets of a book are part of it: they tell which text is hidden. */
function embedStyles(archive: Archive, part: string, page: MarkupElement): void {
  for (const link of descendants(page, 'link')) {
    const css = archive.bytes(inArchive(posix.dirname(part), attribute(link, 'href') ?? ''))
    if (css && /stylesheet/i.test(attribute(link, 'rel') ?? ''))
      page.children.push({ name: 'style', attributes: {}, children: [css.toString()] })
  }
}

const hasHeading = (page: MarkupElement): boolean =>
  ['h1', 'h2', 'h3'].some((name) => descendants(page, name).some((heading) => textOf(heading).trim() !== ''))

/** What the table of contents calls each part, in its newer or older form. */
function chapterTitles(archive: Archive, items: { item: MarkupElement; part: string }[]): Map<string, string> {
  const titles = new Map<string, string>()
  const add = (part: string, title: string) => {
    const text = title.replace(/\s+/g, ' ').trim()
    if (text !== '' && !titles.has(part)) titles.set(part, text)
  }
  for (const { item, part } of items) {
    if (/\bnav\b/.test(attribute(item, 'properties') ?? ''))
      for (const link of descendants(archive.tree(part), 'a'))
        add(inArchive(posix.dirname(part), attribute(link, 'href') ?? ''), textOf(link))
    if (attribute(item, 'media-type') === 'application/x-dtbncx+xml')
      for (const point of descendants(archive.tree(part), 'navPoint')) {
        const content = point.children.find((node): node is MarkupElement => isElement(node) && node.name === 'content')
        if (content)
          add(inArchive(posix.dirname(part), attribute(content, 'src') ?? ''), textOf(child(point, 'navLabel')))
      }
  }
  return titles
}
