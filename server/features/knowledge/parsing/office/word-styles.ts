import type { Archive } from '../archive.ts'
import { attribute, child, type MarkupElement } from '../markup/read-markup.ts'

/** What a run's properties say about whether a person sees its text. Undefined leaves it to what it is based on. */
export interface RunLook {
  vanish?: boolean
  tiny?: boolean
  /** Colors are six hexadecimal digits or `AUTO`. */
  color?: string
  fill?: string
  highlighted?: boolean
}

interface WordStyle {
  basedOn: string | undefined
  headingLevel: number | undefined
  isList: boolean
  look: RunLook
}

export type WordStyles = Map<string, WordStyle>

const isOn = (element: MarkupElement | undefined): boolean | undefined =>
  element && !/^(?:0|false|off)$/.test(attribute(element, 'val') ?? '')

export function lookOf(properties: MarkupElement | undefined): RunLook {
  if (!properties) return {}
  const look: RunLook = {}
  const hasNoFill = child(child(properties, 'textFill'), 'noFill') !== undefined
  const vanish =
    isOn(child(properties, 'vanish')) ??
    isOn(child(properties, 'specVanish')) ??
    isOn(child(properties, 'webHidden')) ??
    (hasNoFill || undefined)
  if (vanish !== undefined) look.vanish = vanish
  const size = child(properties, 'sz')
  // Half-points: nothing of one point or less can be read.
  if (size) look.tiny = Number(attribute(size, 'val')) <= 2
  const color = child(properties, 'color')
  if (color) look.color = attribute(color, 'val')?.toUpperCase() ?? 'AUTO'
  const fill = fillOf(properties)
  if (fill) look.fill = fill
  const highlight = child(properties, 'highlight')
  if (highlight) look.highlighted = attribute(highlight, 'val') !== 'none'
  return look
}

function fillOf(properties: MarkupElement | undefined): string | undefined {
  const shading = child(properties, 'shd')
  return shading && (attribute(shading, 'fill')?.toUpperCase() ?? 'AUTO')
}

/** Nearly white is as hard to see on white. */
const isWhite = (color: string): boolean => /^(?:F[0-9A-F]){3}$/.test(color)

/** Has a background of its own that is not white. */
export function isShaded(properties: MarkupElement | undefined): boolean {
  const fill = fillOf(properties) ?? 'AUTO'
  return fill !== 'AUTO' && !isWhite(fill)
}

/** Has the color of what is behind it: its own fill or else the page, unless something there has another color. */
export function isBlended({ color, fill = 'AUTO', highlighted }: RunLook, hasBackground: boolean): boolean {
  if (!color || highlighted || (fill === 'AUTO' && hasBackground)) return false
  const behind = fill === 'AUTO' ? 'FFFFFF' : fill
  return color === behind || (isWhite(color) && isWhite(behind))
}

export function readWordStyles(archive: Archive, part: string): WordStyles {
  const styles: WordStyles = new Map()
  archive.elements(part, ['style'], (style) => {
    const name = attribute(child(style, 'name') ?? style, 'val') ?? ''
    const properties = child(style, 'pPr')
    const basedOn = child(style, 'basedOn')
    styles.set(attribute(style, 'styleId') ?? '', {
      basedOn: basedOn && attribute(basedOn, 'val'),
      headingLevel: levelByName(name) ?? outlineLevel(properties),
      isList: child(properties, 'numPr') !== undefined,
      look: lookOf(child(style, 'rPr')),
    })
  })
  return styles
}

function levelByName(name: string): number | undefined {
  if (/^title$/i.test(name)) return 1
  const level = /^heading ([1-9])$/i.exec(name)?.[1]
  return level ? Number(level) : undefined
}

/** Level 9 is body text. */
export function outlineLevel(properties: MarkupElement | undefined): number | undefined {
  const outline = child(properties, 'outlineLvl')
  const level = outline ? Number(attribute(outline, 'val')) : Number.NaN
  return level >= 0 && level < 9 ? level + 1 : undefined
}

/** Styles are based on each other; a circle of them ends here. */
const maxAncestors = 20

/** The style and those that it is based on, the nearest first. */
export function ancestry(styles: WordStyles, id: string | undefined): WordStyle[] {
  const found: WordStyle[] = []
  for (let style = styles.get(id ?? ''); style && found.length < maxAncestors; style = styles.get(style.basedOn ?? ''))
    found.push(style)
  return found
}
