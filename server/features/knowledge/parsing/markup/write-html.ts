import type { BlockWriter } from '../blocks.ts'
import {
  type Appearance,
  appearanceOf,
  type EmbeddedRules,
  embeddedRules,
  usualAppearance,
  visiblePart,
} from './hidden-html.ts'
import { attribute, descendants, isElement, type MarkupElement, type MarkupNode } from './read-markup.ts'

const skipped = new Set(
  'head script style template noscript svg math canvas iframe object embed audio video select datalist textarea dialog'.split(
    ' ',
  ),
)
const blocks = new Set(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form header hgroup html legend main menu nav ol p section summary table tbody td tfoot th thead tr ul li hr'.split(
    ' ',
  ),
)

/** Writes what a person sees of a page, in its order. Hidden elements are left out. */
export function writeHtml(
  tree: MarkupElement,
  writer: BlockWriter,
  skip: (element: MarkupElement) => boolean = () => false,
): void {
  const rules = embeddedRules(tree)
  let line = ''
  let listDepth = -1
  let isItem = false

  const flush = () => {
    const text = tidy(line)
    line = ''
    if (text === '') return
    if (isItem) writer.item(text, Math.max(0, listDepth))
    else writer.paragraph(text)
    // Further paragraphs of an item are not items of their own.
    isItem = false
  }

  function visitAll(nodes: MarkupNode[], appearance: Appearance) {
    for (const node of nodes) visit(node, appearance)
  }

  function visit(node: MarkupNode, inherited: Appearance) {
    if (!isElement(node)) {
      line += visiblePart(node, inherited).replace(/[\t\n\f\r ]+/g, ' ')
      return
    }
    const { name } = node
    if (skipped.has(name) || skip(node)) return
    const appearance = appearanceOf(node, inherited, rules)
    if (!appearance) return
    if (name === 'br') line += '\n'
    else if (name === 'img')
      line += appearance.isVisible && attribute(node, 'alt')?.trim() ? ` ${attribute(node, 'alt')} ` : ''
    else if (name === 'a') link(node, appearance)
    else if (name === 'input') line += appearance.isVisible ? inputText(node) : ''
    else if (/^h[1-6]$/.test(name)) heading(node, appearance)
    else if (name === 'pre') {
      flush()
      writer.lines(visibleText(node, appearance, rules, true))
    } else if (name === 'table') {
      flush()
      table(node, appearance)
    } else if (name === 'ul' || name === 'ol' || name === 'menu') {
      flush()
      listDepth++
      visitAll(node.children, appearance)
      flush()
      listDepth--
    } else if (name === 'li') {
      flush()
      isItem = true
      visitAll(node.children, appearance)
      flush()
      isItem = false
    } else if (blocks.has(name)) {
      flush()
      visitAll(node.children, appearance)
      flush()
    } else visitAll(node.children, appearance)
  }

  function heading(node: MarkupElement, appearance: Appearance) {
    flush()
    const text = tidy(visibleText(node, appearance, rules)).replace(/\s+/g, ' ')
    if (text !== '') writer.heading(text, Number(node.name[1]))
  }

  /** An address that a reader could not see otherwise is written behind its text. */
  function link(node: MarkupElement, appearance: Appearance) {
    const before = line.length
    visitAll(node.children, appearance)
    const text = line.slice(before).trim()
    const address = /^(?:https?:\/\/|mailto:|tel:)\S+$/i
      .exec(attribute(node, 'href') ?? '')?.[0]
      .replace(/^(?:mailto|tel):/i, '')
    if (text && address && !address.includes(text) && !text.includes(address) && address.length <= 300)
      line += ` (${address})`
  }

  function table(node: MarkupElement, appearance: Appearance) {
    const read = readTable(node, appearance, rules)
    if (read) {
      writer.paragraph(read.caption)
      writer.table(read.table)
      return
    }
    // Tables that only arrange the page are read like any other block.
    visitAll(node.children, appearance)
    flush()
  }

  visitAll(tree.children, usualAppearance)
  flush()
}

const tidy = (text: string): string =>
  text
    .replace(/ *\n */g, '\n')
    .replace(/ {2,}/g, ' ')
    .trim()

const inputText = (node: MarkupElement): string => {
  const type = attribute(node, 'type')
  if (type !== 'checkbox' && type !== 'radio') return ''
  return node.attributes.checked === undefined ? '[ ] ' : '[x] '
}

/** The text of an element in one piece. */
function visibleText(node: MarkupElement, inherited: Appearance, rules: EmbeddedRules, keepSpace = false): string {
  let text = ''
  const visit = (each: MarkupNode, appearance: Appearance) => {
    if (!isElement(each)) {
      const part = visiblePart(each, appearance)
      text += keepSpace ? part : part.replace(/\s+/g, ' ')
      return
    }
    if (skipped.has(each.name)) return
    const seen = appearanceOf(each, appearance, rules)
    if (!seen) return
    if (each.name === 'br') text += '\n'
    if (each.name === 'img' && seen.isVisible && attribute(each, 'alt')) text += attribute(each, 'alt')
    const isBlock = blocks.has(each.name)
    if (isBlock && text !== '') text += keepSpace ? '\n' : ' '
    for (const inner of each.children) visit(inner, seen)
    if (isBlock) text += keepSpace ? '\n' : ' '
  }
  for (const each of node.children) visit(each, inherited)
  return text
}

const maxSpan = 100

function* visibleRows(
  node: MarkupElement,
  inherited: Appearance,
  rules: EmbeddedRules,
): Generator<[row: MarkupElement, Appearance]> {
  for (const each of node.children) {
    if (!isElement(each) || skipped.has(each.name)) continue
    const appearance = appearanceOf(each, inherited, rules)
    if (!appearance) continue
    if (each.name === 'tr') yield [each, appearance]
    else yield* visibleRows(each, appearance, rules)
  }
}

/** The cells of a table, those that span several columns or rows in each; nothing for a table that only arranges. */
function readTable(node: MarkupElement, appearance: Appearance, rules: EmbeddedRules) {
  if (
    descendants(node, 'table').length > 0 ||
    ['h1', 'h2', 'ul', 'p'].some((name) => descendants(node, name).length > 20)
  )
    return undefined
  const rows: string[][] = []
  let headerRows = 0
  /** By column: what the cells above still fill, and in how many rows. */
  const spanning: ({ text: string; rows: number } | undefined)[] = []
  for (const [row, rowAppearance] of visibleRows(node, appearance, rules)) {
    const cells: string[] = []
    const fillFromAbove = () => {
      for (let above = spanning[cells.length]; above && above.rows > 0; above = spanning[cells.length]) {
        above.rows--
        cells.push(above.text)
      }
    }
    const own = row.children.filter((each): each is MarkupElement => isElement(each) && /^t[dh]$/.test(each.name))
    for (const cell of own) {
      fillFromAbove()
      const seen = appearanceOf(cell, rowAppearance, rules)
      const text = seen ? tidy(visibleText(cell, seen, rules)).replace(/\s+/g, ' ') : ''
      const down = Math.min(maxSpan, Number(attribute(cell, 'rowspan')) || 1) - 1
      const across = Math.min(maxSpan, Number(attribute(cell, 'colspan')) || 1)
      for (let i = 0; i < across; i++) {
        if (down > 0) spanning[cells.length] = { text, rows: down }
        cells.push(text)
      }
    }
    fillFromAbove()
    // Neither a hidden row nor an empty one has the names of the columns.
    if (cells.every((cell) => cell === '')) continue
    if (rows.length === headerRows && own.length > 1 && own.every(({ name }) => name === 'th')) headerRows++
    rows.push(cells)
  }
  if (!rows.some((row) => row.length > 1)) return undefined
  const caption = descendants(node, 'caption')[0]
  const captionAppearance = caption && appearanceOf(caption, appearance, rules)
  return {
    caption: captionAppearance ? tidy(visibleText(caption, captionAppearance, rules)) : '',
    table: { rows, ...(headerRows > 0 ? { headerRows } : {}) },
  }
}
