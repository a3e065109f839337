import { blend, channels, isSameColor, isTransparent } from './css-colors.ts'
import { type EmbeddedRules, embeddedRules as readRules, type Styles, stylesOf } from './css-rules.ts'
import type { MarkupElement } from './read-markup.ts'

export type { EmbeddedRules } from './css-rules.ts'

/** How an element's text looks. Elements inside of it may override each of these. */
export interface Appearance {
  color: string
  /** Replaces the color of the letters, also where an inner element sets another color. */
  textFill: string | undefined
  background: string
  /** A background in the shape of the letters, which is seen where they are transparent. */
  clipped: string | undefined
  /** In pixels. */
  fontSize: number
  isVisible: boolean
}

const usualSize = 16

export const usualAppearance: Appearance = {
  color: 'black',
  textFill: undefined,
  background: 'white',
  clipped: undefined,
  fontSize: usualSize,
  isVisible: true,
}

/** About a point: too small to read. */
const tinyPixels = 1.34

function isLegible({ color, textFill = color, background, clipped, fontSize, isVisible }: Appearance): boolean {
  const letters = isTransparent(textFill) ? clipped : textFill
  return isVisible && fontSize > tinyPixels && letters !== undefined && !isSameColor(letters, background)
}

/** What a person sees of a text. Space is kept, because it separates visible words. */
export const visiblePart = (text: string, appearance: Appearance): string =>
  isLegible(appearance) || text.trim() === '' ? text : ''

/** The properties by which text is hidden. */
const properties = new Set(
  'display visibility content-visibility opacity filter font font-size text-indent left top right bottom margin-left margin-top transform translate scale zoom clip clip-path overflow overflow-x overflow-y height max-height width max-width color -webkit-text-fill-color background background-color background-image background-clip -webkit-background-clip'.split(
    ' ',
  ),
)
const isWanted = (property: string): boolean => properties.has(property)

export const embeddedRules = (tree: MarkupElement): EmbeddedRules => readRules(tree, isWanted)

/** How the element's text looks; nothing when the element is hidden with everything in it. */
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
  const own = ownBackground(styles) ?? attributes.bgcolor?.toLowerCase()
  const painted = own === undefined ? undefined : (blend(own, inherited.background) ?? 'picture')
  const isClipped = clipsToText.some((property) => styles.get(property) === 'text')
  return {
    color: colorOf(element, styles, inherited),
    textFill: textFillOf(styles.get('-webkit-text-fill-color'), inherited),
    background: isClipped ? inherited.background : (painted ?? inherited.background),
    // The background of an inner element covers that of the letters.
    clipped: own === undefined || isTransparent(own) ? inherited.clipped : isClipped ? painted : undefined,
    fontSize: sizeOf(styles.get('font-size') ?? sizeIn(styles.get('font') ?? ''), inherited.fontSize),
    isVisible: isVisibleBy(styles.get('visibility'), inherited),
  }
}

const clipsToText = ['background-clip', '-webkit-background-clip']
const isInherited = (value: string): boolean => /^(?:inherit|unset|revert|revert-layer)$/.test(value)

function colorOf({ name, attributes }: MarkupElement, styles: Styles, inherited: Appearance): string {
  const color = styles.get('color') || (name === 'font' && attributes.color?.toLowerCase()) || inherited.color
  if (color === 'initial') return usualAppearance.color
  return isInherited(color) || color === 'currentcolor' ? inherited.color : color
}

function textFillOf(value: string | undefined, inherited: Appearance): string | undefined {
  if (!value || isInherited(value)) return inherited.textFill
  return value === 'currentcolor' || value === 'initial' ? undefined : value
}

function isVisibleBy(value: string | undefined, inherited: Appearance): boolean {
  if (value === 'hidden' || value === 'collapse') return false
  return value === 'visible' || value === 'initial' || inherited.isVisible
}

/** Far outside of any screen. */
const farAway = /^-(?:\d{4,}|[5-9]\d{2}|\d{3,}(?:\.\d+)?(?:r?em|v[wh]))/

function isHiddenBy(styles: Styles): boolean {
  const is = (property: string, pattern: RegExp) => pattern.test(styles.get(property) ?? '')
  const isAny = (names: string[], pattern: RegExp) => names.some((property) => is(property, pattern))
  return (
    is('display', /^none$/) ||
    is('content-visibility', /^hidden$/) ||
    isFaint(styles.get('opacity')) ||
    isFaint(/opacity\(\s*([\d.]+%?)\s*\)/.exec(styles.get('filter') ?? '')?.[1]) ||
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

const sizeWords = /(?:^|\s)(initial|medium|(?:xx?-)?small|x{0,3}-?large)(?=[\s/]|$)/

/** The size in a `font` declaration; a number without a unit, other than zero, is a weight. */
const sizeIn = (font: string): string =>
  /(?:^|\s)(0|[\d.]+(?:[a-z]+|%))(?=[\s/]|$)/.exec(font)?.[1] ??
  sizeWords.exec(font)?.[1] ??
  /\w+\(/.exec(font)?.[0] ??
  ''

/** Pixels of each unit; those of the window as in one of 1280 by 800. */
const units: Record<string, number> = {
  ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.945, rem: usualSize },
  ...{ vw: 12.8, vh: 8, vmin: 8, vmax: 12.8 },
}
/** Units that are shares of the inherited size. */
const shares: Record<string, number> = { em: 1, '%': 0.01, ex: 0.5, ch: 0.5 }

/** Sizes that have to be computed, such as those of variables, are taken for usual ones. */
function sizeOf(value: string, inherited: number): number {
  if (sizeWords.test(value) || value.includes('(')) return usualSize
  const [, number, unit = 'px'] = /^([\d.]+)([a-z]+|%)?$/.exec(value) ?? []
  const pixels = units[unit] ?? (shares[unit] ?? Number.NaN) * inherited
  const size = Number(number) * pixels
  return Number.isNaN(size) ? inherited : size
}

/** A picture or a gradient may have any color. */
function ownBackground(styles: Styles): string | undefined {
  if (/url\(|gradient\(/.test(styles.get('background-image') ?? styles.get('background') ?? '')) return 'picture'
  const value = styles.get('background-color') ?? styles.get('background')
  if (value === undefined || /^(?:none|inherit|initial|unset|transparent|)$/.test(value)) return undefined
  const parts = value.match(/(?:rgb|hsl)a?\([^)]*\)|#[0-9a-f]+|[a-z-]+/g) ?? []
  return parts.find((part) => channels(part)) ?? value
}
