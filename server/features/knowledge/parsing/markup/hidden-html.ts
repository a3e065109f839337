import { descendants, type MarkupElement, textOf } from './read-markup.ts'

/** What a person who looks at the page sees of an element's text, as far as its own styles tell. */
export interface Appearance {
  color: string
  background: string
}

export const usualAppearance: Appearance = { color: 'black', background: 'white' }

type Styles = Map<string, string>

/** The embedded rules for a single class, id or tag, by their selector. Style sheets elsewhere are not loaded. */
export type EmbeddedRules = Map<string, Styles>

const maxRules = 5000

export function embeddedRules(tree: MarkupElement): EmbeddedRules {
  const rules: EmbeddedRules = new Map()
  // Rules inside of an at-rule, such as those for printing, hold only sometimes.
  for (const style of descendants(tree, 'style'))
    for (const [, selectors = '', body = ''] of withoutAtRules(textOf(style)).matchAll(/([^{}]+)\{([^{}]*)\}/g))
      for (const selector of selectors.split(',').map((each) => each.trim()))
        if (rules.size < maxRules && /^[.#]?[\w-]+$/.test(selector))
          rules.set(selector, new Map([...(rules.get(selector) ?? []), ...parseStyles(body)]))
  return rules
}

const withoutAtRules = (css: string): string =>
  css.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '').replace(/@[^{};]*(?:;|\{(?:[^{}]*\{[^{}]*\})*[^{}]*\})/g, '')

const parseStyles = (text: string): Styles =>
  new Map(
    text.split(';').map((declaration) => {
      const [name = '', ...value] = declaration.split(':')
      return [
        name.trim().toLowerCase(),
        value
          .join(':')
          .replace(/!important/i, '')
          .trim()
          .toLowerCase(),
      ] as const
    }),
  )

/** How the element's text appears; nothing when it is hidden. */
export function appearanceOf(
  { name, attributes }: MarkupElement,
  inherited: Appearance,
  rules: EmbeddedRules,
): Appearance | undefined {
  if (attributes.hidden !== undefined && attributes.hidden !== 'until-found') return undefined
  if (attributes['aria-hidden'] === 'true' || (name === 'input' && attributes.type === 'hidden')) return undefined
  const styles = stylesOf(name, attributes, rules)
  if (styles.size > 0 && isHiddenBy(styles)) return undefined
  const background = backgroundOf(styles) ?? attributes.bgcolor ?? inherited.background
  const color = styles.get('color') || (name === 'font' && attributes.color) || inherited.color
  if (color === 'transparent' || isSameColor(color, background)) return undefined
  return color === inherited.color && background === inherited.background ? inherited : { color, background }
}

function stylesOf(name: string, attributes: Record<string, string>, rules: EmbeddedRules): Styles {
  const own = attributes.style ? parseStyles(attributes.style) : undefined
  if (rules.size === 0) return own ?? new Map()
  const selectors = [name, ...(attributes.class ?? '').split(/\s+/).map((each) => `.${each}`), `#${attributes.id}`]
  return new Map([...selectors.flatMap((selector) => [...(rules.get(selector) ?? [])]), ...(own ?? [])])
}

function isHiddenBy(styles: Styles): boolean {
  const is = (property: string, pattern: RegExp) => pattern.test(styles.get(property) ?? '')
  return (
    is('display', /^none$/) ||
    is('visibility', /^(?:hidden|collapse)$/) ||
    is('opacity', /^0*\.?0+%?$/) ||
    isTiny(styles.get('font-size') ?? '') ||
    is('text-indent', /^-\d{3,}/) ||
    ['left', 'top', 'right'].some((side) => is(side, /^-\d{4,}/)) ||
    (is('overflow', /^(?:hidden|clip)$/) && (is('height', /^0/) || is('max-height', /^0/) || is('width', /^0(?!\.)/)))
  )
}

/** Less than about a point: too small to read. */
function isTiny(size: string): boolean {
  const [, number, unit] = /^([\d.]+)(px|pt|r?em|%)?$/.exec(size) ?? []
  if (number === undefined) return false
  const most = unit === '%' ? 8 : unit?.endsWith('em') ? 0.08 : 1
  return Number(number) <= most
}

/** A picture or a gradient may have any color. */
function backgroundOf(styles: Styles): string | undefined {
  if (/url\(|gradient\(/.test(styles.get('background-image') ?? styles.get('background') ?? '')) return 'picture'
  const value = styles.get('background-color') ?? styles.get('background')
  return value === undefined || /^(?:transparent|none|inherit|initial|unset|)$/.test(value) ? undefined : value
}

const nearlyEqual = 12

function isSameColor(one: string, other: string): boolean {
  const [a, b] = [channels(one), channels(other)]
  return a !== undefined && b !== undefined && a.every((value, i) => Math.abs(value - (b[i] as number)) <= nearlyEqual)
}

const names: Record<string, string> = {
  white: '#ffffff',
  black: '#000000',
  snow: '#fffafa',
  ivory: '#fffff0',
  ghostwhite: '#f8f8ff',
}

/** Red, green and blue of a color that is written in one of the common ways. */
function channels(color: string): number[] | undefined {
  const text = names[color] ?? color
  const hex = /^#?([0-9a-f]{3}|[0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(text)?.[1]
  if (hex)
    return (hex.length === 3 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])).map((pair) =>
      Number.parseInt(pair, 16),
    )
  const rgb = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+))?/.exec(text)
  if (!rgb || rgb[4] === '0') return undefined
  return rgb.slice(1, 4).map(Number)
}
