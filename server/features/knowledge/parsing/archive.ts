import { posix } from 'node:path'
import { UnreadableDocument } from './document.ts'
import { type FileKind, factsOf } from './file-kinds.ts'
import { attribute, type MarkupElement, readMarkup, readTree } from './markup/read-markup.ts'
import { inflateEntry, listZip, type ZipEntry } from './zip.ts'

/** Office XML compresses ten- to fiftyfold; an archive beyond this was built to exhaust memory. */
const maxRatio = 200
const ratioMattersFromBytes = 4 << 20
/** Of all text parts together. A parsed part takes up to ten times as much memory; spreadsheets are read by the row. */
const maxTextBytes = 48 << 20
const maxSpreadsheetBytes = 128 << 20

const isText = ({ name }: ZipEntry) => /\.(?:xml|rels|opf|ncx|css|x?html?)$/i.test(name)

export interface Archive {
  names: string[]
  /** The elements of an XML part; nothing when there is no such part. */
  tree(name: string): MarkupElement | undefined
  /** Passes on the outermost elements with these names, one by one. */
  elements(name: string, wanted: string[], onElement: (element: MarkupElement) => void): void
  bytes(name: string): Buffer | undefined
  /** What an Office part refers to, by id. */
  relations(name: string): Map<string, Relation>
}

interface Relation {
  /** The last word of its type: `header`, `slide`, … */
  type: string
  /** The name of the part. */
  target: string
}

/** Opens an archive of XML. Pictures and fonts are never inflated, nor is anything beyond what its directory states. */
export function openArchive(bytes: Buffer, kind: FileKind): Archive {
  const subject = subjectOf(kind)
  const entries = listZip(bytes, subject)
  checkSizes(entries.filter(isText), subject, kind === 'xlsx' ? maxSpreadsheetBytes : maxTextBytes)
  const byName = new Map(entries.map((entry) => [entry.name, entry]))

  function read(name: string): Buffer | undefined {
    const entry = byName.get(name)
    if (!entry || !isText(entry)) return undefined
    const content = inflateEntry(bytes, entry, subject)
    if (kind !== 'epub') refuseDefinitions(content, subject)
    return content
  }

  const tree = (name: string) => {
    const content = read(name)
    return content && readTree(content, { xml: true })
  }

  return {
    names: entries.map(({ name }) => name),
    bytes: read,
    tree,
    elements(name, wanted, onElement) {
      const content = read(name)
      if (content) readMarkup(content, { xml: true, wanted: new Set(wanted) }, onElement)
    },
    relations(name) {
      const folder = posix.dirname(name)
      const found = new Map<string, Relation>()
      this.elements(posix.join(folder, '_rels', `${posix.basename(name)}.rels`), ['Relationship'], (element) => {
        const target = attribute(element, 'Target')
        if (!target || attribute(element, 'TargetMode') === 'External') return
        found.set(attribute(element, 'Id') ?? '', {
          type: (attribute(element, 'Type') ?? '').split('/').at(-1) as string,
          target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
        })
      })
      return found
    },
  }
}

export const partOfType = (relations: Map<string, Relation>, type: string): string | undefined =>
  [...relations.values()].find((relation) => relation.type === type)?.target

/** `r:id`, whatever the prefix: the plain `id` is another one. */
export const relationId = ({ attributes }: MarkupElement): string =>
  Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? ''

/** As a sentence about the file begins: "Word document". */
const subjectOf = (kind: FileKind): string => factsOf(kind).noun.replace(/^an? /, '')

/** Office files have no document type; one that does is an attempt at entity expansion. */
function refuseDefinitions(content: Buffer, subject: string): void {
  if (content.includes('<!DOCTYPE') || content.includes('<!ENTITY') || content.includes('<\0!\0'))
    throw new UnreadableDocument(
      'bomb',
      `The ${subject} has definitions in it that no ${subject.startsWith('Word') ? 'word processor' : 'office program'} writes.`,
    )
}

function checkSizes(entries: ZipEntry[], subject: string, maxBytes: number): void {
  let total = 0
  for (const { packed, size } of entries) {
    total += size
    if (size > ratioMattersFromBytes && size > packed * maxRatio)
      throw new UnreadableDocument('bomb', `The ${subject} unpacks to far more than its size and was not opened.`)
  }
  if (total > maxBytes)
    throw new UnreadableDocument('too_long', `The ${subject} is too long. Split it into smaller files.`)
}
