import { channels, isSameColor, isTransparent } from './css-colors.ts'
import { type EmbeddedRules, embeddedRules as readRules, type Styles, stylesOf } from './css-rules.ts'
import type { MarkupElement } from './read-markup.ts'

export type { EmbeddedRules } from './css-rules.ts'

/** What a person who looks at the page sees of an element's text, as far as its own styles tell. */
export interface Appearance {
  color: string
  background: string
}

export const usualAppearance: Appearance = { color: 'black', background: 'white' }

/** The properties by which text is hidden. */
const properties = new Set(
  'display visibility content-visibility opacity filter font font-size text-indent left top right bottom margin-left margin-top transform translate scale zoom clip clip-path overflow overflow-x overflow-y height max-height width max-width color -webkit-text-fill-color background background-color background-image background-clip -webkit-background-clip'.split(
    ' ',
  ),
)
const isWanted = (property: string): boolean => properties.has(property)

export const embeddedRules = (tree: MarkupElement): EmbeddedRules => readRules(tree, isWanted)

/** How the element's text appears; nothing when it is hidden. */
export function appearanceOf(
  element: MarkupElement,
  inherited: Appearance,
  rules: EmbeddedRules,
): Appearance | undefined {
  const { name, attributes } = element
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return undefined
  if (attributes['aria-hidden'] === 'true' || (name === 'input' && attributes.type === 'hidden')) return undefined
  const styles = stylesOf(element, rules, isWanted)
  if (styles.size > 0 && isHiddenBy(styles)) return undefined
  // The letters are cut out of the background, usually a gradient.
  if (clipsToText.some((property) => styles.get(property) === 'text')) return { ...inherited, background: 'picture' }
  const background = backgroundOf(styles) ?? attributes.bgcolor?.toLowerCase() ?? inherited.background
  const color = colorOf(element, styles, inherited)
  if (isTransparent(color) || isSameColor(color, background)) return undefined
  return color === inherited.color && background === inherited.background ? inherited : { color, background }
}

const clipsToText = ['background-clip', '-webkit-background-clip']

function colorOf({ name, attributes }: MarkupElement, styles: Styles, inherited: Appearance): string {
  const own = styles.get('-webkit-text-fill-color') || styles.get('color')
  const color = own || (name === 'font' && attributes.color?.toLowerCase()) || inherited.color
  if (color === 'initial') return usualAppearance.color
  return /^(?:inherit|unset|revert|currentcolor)$/.test(color) ? inherited.color : color
}

/** Far outside of any screen. */
const farAway = /^-(?:\d{4,}|[5-9]\d{2}|\d{3,}(?:\.\d+)?(?:r?em|v[wh]))/

function isHiddenBy(styles: Styles): boolean {
  const is = (property: string, pattern: RegExp) => pattern.test(styles.get(property) ?? '')
  const isAny = (names: string[], pattern: RegExp) => names.some((property) => is(property, pattern))
  return (
    is('display', /^none$/) ||
    is('visibility', /^(?:hidden|collapse)$/) ||
    is('content-visibility', /^hidden$/) ||
    isFaint(styles.get('opacity')) ||
    isFaint(/opacity\(\s*([\d.]+%?)\s*\)/.exec(styles.get('filter') ?? '')?.[1]) ||
    isTiny(styles.get('font-size') ?? sizeIn(styles.get('font') ?? '')) ||
    is('text-indent', /^-\d{3,}/) ||
    isAny(['left', 'top', 'right', 'bottom', 'margin-left', 'margin-top'], farAway) ||
    is('transform', /translate(?:x|y|3d)?\([^)]*-(?:\d{4,}|\d{3,}(?:r?em|v[wh]))/) ||
    is('translate', /-(?:\d{4,}|\d{3,}(?:r?em|v[wh]))/) ||
    is('transform', /scale(?:x|y|3d)?\(\s*0*\.?0+\s*[,)]/) ||
    isAny(['scale', 'zoom'], /^0*\.?0+%?$/) ||
    is('clip', /^rect\(\s*[01](?:px)?(?:[\s,]+[01](?:px)?){3}\s*\)$/) ||
    is('clip-path', /^(?:inset\(\s*(?:[5-9]\d|100)%|circle\(\s*0(?![.\d]))/) ||
    (isAny(['overflow', 'overflow-x', 'overflow-y'], /^(?:hidden|clip)/) &&
      isAny(['height', 'max-height', 'width', 'max-width'], /^(?:0(?!\.)|1px)/))
  )
}

/** Less than a twentieth. */
function isFaint(opacity: string | undefined): boolean {
  const [, number, percent] = /^([\d.]+)(%?)$/.exec(opacity ?? '') ?? []
  return number !== undefined && Number(number) <= (percent ? 5 : 0.05)
}

/** The size in a `font` declaration; a number without a unit, other than zero, is a weight. */
const sizeIn = (font: string): string => /(?:^|\s)(0|[\d.]+(?:px|pt|r?em|%))(?=[\s/]|$)/.exec(font)?.[1] ?? ''

/** Less than about a point: too small to read. */
function isTiny(size: string): boolean {
  const [, number, unit] = /^([\d.]+)(px|pt|r?em|%|v[wh])?$/.exec(size) ?? []
  if (number === undefined) return false
  const most = unit === '%' ? 8 : unit?.endsWith('em') || unit?.startsWith('v') ? 0.08 : 1
  return Number(number) <= most
}

/** A picture or a gradient may have any color. */
function backgroundOf(styles: Styles): string | undefined {
  if (/url\(|gradient\(/.test(styles.get('background-image') ?? styles.get('background') ?? '')) return 'picture'
  const value = styles.get('background-color') ?? styles.get('background')
  if (value === undefined || /^(?:none|inherit|initial|unset|)$/.test(value) || isTransparent(value)) return undefined
  const parts = value.match(/(?:rgb|hsl)a?\([^)]*\)|#[0-9a-f]+|[a-z-]+/g) ?? []
  return parts.find((part) => channels(part)) ?? value
}
