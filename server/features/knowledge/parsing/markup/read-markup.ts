import { Parser } from 'htmlparser2'
import { UnreadableDocument } from '../document.ts'

export interface MarkupElement {
  /** Without its namespace prefix; in lower case for HTML. */
  name: string
  /** With their prefixes, as written. */
  attributes: Record<string, string>
  children: MarkupNode[]
}

export type MarkupNode = MarkupElement | string

/**
 * Elements nested deeper than this become children of the element at this depth, so that walking a tree never exhausts
 * the stack. Word processors write fewer than a hundred levels.
 */
const maxDepth = 256

/** Open elements beyond that depth. The parser takes time for each at every tag: 500,000 of them would take minutes. */
const mostBeyond = 100_000

/** Decoded a piece at a time, so that a large part never becomes one long string. */
const pieceBytes = 1 << 20

interface Reading {
  xml: boolean
  /** The outermost elements with these names are passed on, one by one, as they end; without it, the whole document. */
  wanted?: ReadonlySet<string>
}

/** Entities that a document declares are never expanded, and nothing that it refers to is ever loaded. */
export function readMarkup(
  markup: Buffer | string,
  { xml, wanted }: Reading,
  onElement: (element: MarkupElement) => void,
): void {
  const root: MarkupElement = { name: '', attributes: {}, children: [] }
  /** Elements that are being built, and how many more are open below the deepest of them. */
  const open: MarkupElement[] = wanted ? [] : [root]
  let deeper = 0

  const parser = new Parser(
    {
      onopentag(rawName, attributes) {
        const name = xml ? localName(rawName) : rawName
        if (open.length === 0 && !wanted?.has(name)) return
        const element = { name, attributes, children: [] }
        open.at(-1)?.children.push(element)
        if (open.length < maxDepth) open.push(element)
        else if (++deeper > mostBeyond)
          throw new UnreadableDocument('damaged', 'The elements of the file are nested too deeply to be read.')
      },
      onclosetag() {
        if (deeper > 0) deeper--
        else if (open.length > (wanted ? 0 : 1)) {
          const element = open.pop() as MarkupElement
          if (open.length === 0) onElement(element)
        }
      },
      ontext(text) {
        const parent = open.at(-1)
        if (!parent) return
        const last = parent.children.length - 1
        if (typeof parent.children[last] === 'string') parent.children[last] += text
        else parent.children.push(text)
      },
    },
    xml ? { xmlMode: true } : {},
  )
  for (const piece of piecesOf(markup)) parser.write(piece)
  parser.end()
  if (!wanted) onElement(root)
}

export function readTree(markup: Buffer | string, { xml }: { xml: boolean }): MarkupElement {
  let tree: MarkupElement | undefined
  readMarkup(markup, { xml }, (root) => {
    tree = root
  })
  return tree as unknown as MarkupElement
}

function* piecesOf(markup: Buffer | string): Generator<string> {
  if (typeof markup === 'string') {
    for (let at = 0; at < markup.length; at += pieceBytes) yield markup.slice(at, at + pieceBytes)
    return
  }
  const mark = markup.subarray(0, 2).toString('hex')
  const decoder = new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8')
  for (let at = 0; at < markup.length; at += pieceBytes)
    yield decoder.decode(markup.subarray(at, at + pieceBytes), { stream: true })
  yield decoder.decode()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const isElement = (node: MarkupNode): node is MarkupElement => typeof node !== 'string'

/** An attribute by its local name, whatever prefix the file uses. */
export function attribute({ attributes }: MarkupElement, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name]
  for (const key in attributes)
    if (key.endsWith(name) && key[key.length - name.length - 1] === ':') return attributes[key]
  return undefined
}

export function child(element: MarkupElement | undefined, name: string): MarkupElement | undefined {
  return element?.children.find((node): node is MarkupElement => isElement(node) && node.name === name)
}

export const childrenNamed = (element: MarkupElement | undefined, name: string): MarkupElement[] =>
  (element?.children ?? []).filter((node): node is MarkupElement => isElement(node) && node.name === name)

/** All elements below with this name, in order; those inside of another one too. */
export function descendants(element: MarkupElement | undefined, name: string): MarkupElement[] {
  const found: MarkupElement[] = []
  const visit = (node: MarkupNode) => {
    if (!isElement(node)) return
    if (node.name === name) found.push(node)
    node.children.forEach(visit)
  }
  element?.children.forEach(visit)
  return found
}

/** All text below, without regard to what it is. */
export function textOf(node: MarkupNode | undefined): string {
  if (node === undefined) return ''
  if (!isElement(node)) return node
  let text = ''
  for (const each of node.children) text += textOf(each)
  return text
}
