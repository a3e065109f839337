import { cleanText } from '../clean-text.ts'
import {
  attribute,
  child,
  childrenNamed,
  isElement,
  type MarkupElement,
  type MarkupNode,
  textOf,
} from '../markup/read-markup.ts'
import { tableText } from '../tables.ts'
import { ancestry, isBlended, isShaded, lookOf, type RunLook, type WordStyles } from './word-styles.ts'

/** What the text of a paragraph refers to, in the order of the text. */
interface WordReferences {
  footnotes: string[]
  endnotes: string[]
  comments: string[]
}

export interface WordContext {
  styles: WordStyles
  references: WordReferences
  /** White text is visible on it: a page, cell or shape with a color. */
  hasBackground: boolean
}

/** Deleted and moved-away text, and what programs that know less show in place of something newer. */
const skipped = new Set([
  'del',
  'moveFrom',
  'Fallback',
  'rPr',
  'pPr',
  'instrText',
  'delText',
  'tblPr',
  'trPr',
  'tcPr',
  'sectPr',
  'sdtPr',
  'docPr',
])

/** The visible text of a paragraph. Text boxes in it follow in lines of their own. */
export function paragraphText(paragraph: MarkupElement, context: WordContext): string {
  const { styles, references } = context
  const properties = child(paragraph, 'pPr')
  const inherited = lookFrom(styles, valOf(child(properties, 'pStyle')))
  const hasBackground = context.hasBackground || isShaded(properties)
  let text = ''
  const boxes: string[] = []
  /** Open fields; each shows its result, which comes after its instruction. */
  const fields: { showsResult: boolean }[] = []

  function visitRun(run: MarkupElement) {
    const own = child(run, 'rPr')
    const look = { ...inherited, ...lookFrom(styles, valOf(child(own, 'rStyle'))), ...lookOf(own) }
    const isHidden = look.vanish || look.tiny || isBlended(look, hasBackground)
    for (const node of run.children) if (isElement(node)) visitInRun(node, Boolean(isHidden))
  }

  function visitInRun(node: MarkupElement, isHidden: boolean) {
    if (node.name === 'fldChar') return visitField(node)
    const isShown = !isHidden && fields.every(({ showsResult }) => showsResult)
    switch (node.name) {
      case 't':
        if (isShown) text += textOf(node)
        return
      case 'tab':
      case 'ptab':
        if (isShown) text += '\t'
        return
      case 'br':
      case 'cr':
        if (isShown) text += '\n'
        return
      case 'noBreakHyphen':
        if (isShown) text += '-'
        return
      case 'sym':
        if (isShown) text += symbol(attribute(node, 'char'))
        return
      case 'footnoteReference':
        if (isShown) references.footnotes.push(attribute(node, 'id') ?? '')
        return
      case 'endnoteReference':
        if (isShown) references.endnotes.push(attribute(node, 'id') ?? '')
        return
      case 'commentReference':
        references.comments.push(attribute(node, 'id') ?? '')
        return
      default:
        if (!isHidden) visitAll(node.children)
    }
  }

  function visitField(node: MarkupElement) {
    const type = attribute(node, 'fldCharType')
    if (type === 'begin') {
      fields.push({ showsResult: false })
      text += formField(child(node, 'ffData'))
    } else if (type === 'separate') {
      const field = fields.at(-1)
      if (field) field.showsResult = true
    } else if (type === 'end') fields.pop()
  }

  function visitAll(nodes: MarkupNode[]) {
    for (const node of nodes) {
      if (!isElement(node) || skipped.has(node.name)) continue
      if (node.name === 'r') visitRun(node)
      else if (node.name === 'txbxContent')
        boxes.push(blocksText(node.children, { ...context, hasBackground: true }, '\n'))
      else if (node.name === 'sdt') {
        text += checkbox(node)
        visitAll(node.children)
      } else if (node.name === 't') text += textOf(node)
      else visitAll(node.children)
    }
  }

  visitAll(paragraph.children)
  return [cleanText(text).trim(), ...boxes].filter((part) => part !== '').join('\n')
}

export const valOf = (element: MarkupElement | undefined): string | undefined => element && attribute(element, 'val')

function lookFrom(styles: WordStyles, id: string | undefined): RunLook {
  return Object.assign(
    {},
    ...ancestry(styles, id)
      .map(({ look }) => look)
      .reverse(),
  )
}

function symbol(code: string | undefined): string {
  const point = Number.parseInt(code ?? '', 16)
  // Symbol fonts use private characters, which mean nothing without the font.
  return !Number.isFinite(point) || point >= 0xe000 || point < 32 ? '' : String.fromCharCode(point)
}

function formField(data: MarkupElement | undefined): string {
  const list = child(data, 'ddList')
  if (list) {
    const entries = childrenNamed(list, 'listEntry')
    return valOf(entries[Number(valOf(child(list, 'result')) ?? 0)]) ?? ''
  }
  const box = child(data, 'checkBox')
  if (!box) return ''
  return /^(?:0|false)$/.test(valOf(child(box, 'checked')) ?? (child(box, 'checked') ? '1' : '0')) ? '[ ] ' : '[x] '
}

function checkbox(control: MarkupElement): string {
  const box = child(child(control, 'sdtPr'), 'checkbox')
  if (!box) return ''
  return /^(?:1|true)$/.test(valOf(child(box, 'checked')) ?? '') ? '[x] ' : '[ ] '
}

/** Paragraphs and tables in one text, as in a cell or a note. */
export function blocksText(nodes: MarkupNode[], context: WordContext, separator: string): string {
  return nodes
    .map((node) => {
      if (!isElement(node) || skipped.has(node.name)) return ''
      if (node.name === 'p') return listMark(node, context.styles) + paragraphText(node, context)
      if (node.name === 'tbl') return wordTable(node, context)
      return blocksText(node.children, context, separator)
    })
    .filter((text) => text.trim() !== '' && text.trim() !== '-')
    .join(separator)
}

/** How deep an item is in its list; nothing for other paragraphs. */
export function listDepth(paragraph: MarkupElement, styles: WordStyles): number | undefined {
  const properties = child(paragraph, 'pPr')
  const numbering = child(properties, 'numPr')
  if (numbering)
    return valOf(child(numbering, 'numId')) === '0' ? undefined : Number(valOf(child(numbering, 'ilvl')) ?? 0)
  return ancestry(styles, valOf(child(properties, 'pStyle'))).some(({ isList }) => isList) ? 0 : undefined
}

const listMark = (paragraph: MarkupElement, styles: WordStyles): string =>
  listDepth(paragraph, styles) === undefined ? '' : '- '

export function wordTable(table: MarkupElement, context: WordContext): string {
  // A table style may give its cells any background.
  const hasBackground =
    context.hasBackground || !/^(?:TableNormal|TableGrid|)$/.test(valOf(child(child(table, 'tblPr'), 'tblStyle')) ?? '')
  const rows = rowsOf(table)
  const header = rows.findIndex((row) => child(child(row, 'trPr'), 'tblHeader') === undefined)
  const above: string[] = []
  const cells = rows.map((row) => {
    const texts: string[] = []
    for (const cell of cellsOf(row)) {
      const properties = child(cell, 'tcPr')
      const merge = child(properties, 'vMerge')
      const continues = merge !== undefined && attribute(merge, 'val') !== 'restart'
      const text = continues
        ? (above[texts.length] ?? '')
        : blocksText(cell.children, { ...context, hasBackground: hasBackground || isShaded(properties) }, ' ')
      const span = Math.min(100, Number(valOf(child(properties, 'gridSpan')) ?? 1) || 1)
      for (let i = 0; i < span; i++) {
        above[texts.length] = text
        texts.push(i === 0 || span > 1 ? text : '')
      }
    }
    return texts
  })
  // A title in a row of its own is written once.
  const tidy = cells.map((row) => (new Set(row).size === 1 ? row.slice(0, 1) : row))
  return tableText({ rows: tidy, ...(header > 0 ? { headerRows: header } : {}) })
}

/** Rows and cells may be inside of content controls. */
const rowsOf = (table: MarkupElement): MarkupElement[] => through(table, 'tr')
const cellsOf = (row: MarkupElement): MarkupElement[] => through(row, 'tc')

const through = (element: MarkupElement, name: string): MarkupElement[] =>
  element.children.flatMap((node) => {
    if (!isElement(node)) return []
    if (node.name === name) return [node]
    return /^(?:sdt|sdtContent|customXml|ins)$/.test(node.name) ? through(node, name) : []
  })
