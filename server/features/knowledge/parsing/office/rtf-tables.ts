import { tokenize } from './rtf-tokens.ts'

/** What an RTF file defines before its text. */
interface RtfTables {
  codePageOf(font: number): number
  /** Numbers of the colors that are white. */
  whiteColors: Set<number>
  /** By the number of the style. */
  headingLevels: Map<number, number>
}

/** The character sets of fonts, as code pages. */
const characterSets: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

/** The definitions are at the beginning; even large style sheets end before this. */
const definitionBytes = 1 << 20

export function readRtfTables(bytes: Buffer): RtfTables {
  const fonts = new Map<number, number>()
  const whiteColors = new Set<number>()
  const headingLevels = new Map<number, number>()
  let codePage = 1252
  let depth = 0
  /** The table that is being read, and the depth at which it ends. */
  let table: { name: string; depth: number } | undefined
  let font = 0
  let style = 0
  let styleName = ''
  let color: number[] = []
  let colors = 0
  for (const token of tokenize(bytes.subarray(0, definitionBytes).toString('latin1'))) {
    if (token.kind === 'open') depth++
    else if (token.kind === 'close') {
      if (table?.name === 'stylesheet') {
        const level =
          /^\s*heading ([1-9])\s*;/i.exec(styleName)?.[1] ?? (/^\s*title\s*;/i.test(styleName) ? '1' : undefined)
        if (level) headingLevels.set(style, Number(level))
        styleName = ''
        style = 0
      }
      if (table && depth <= table.depth) table = undefined
      depth--
    } else if (token.kind === 'word') {
      const { word, value = 0 } = token
      if (word === 'ansicpg') codePage = value
      else if (word === 'mac') codePage = 10000
      else if (/^(?:fonttbl|colortbl|stylesheet)$/.test(word)) table = { name: word, depth }
      else if (table?.name === 'fonttbl' && word === 'f') font = value
      else if (table?.name === 'fonttbl' && word === 'fcharset' && characterSets[value])
        fonts.set(font, characterSets[value])
      else if (table?.name === 'colortbl' && /^(?:red|green|blue)$/.test(word)) color.push(value)
      else if (table?.name === 'stylesheet' && word === 's') style = value
    } else if (token.kind === 'text') {
      if (table?.name === 'stylesheet') styleName += token.text
      if (table?.name === 'colortbl' && token.text === ';') {
        if (color.length === 3 && color.every((channel) => channel >= 250)) whiteColors.add(colors)
        colors++
        color = []
      }
    }
  }
  return { codePageOf: (number) => fonts.get(number) ?? codePage, whiteColors, headingLevels }
}
