/** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
type Channels = [red: number, green: number, blue: number, alpha: number]

/** Differences that no one sees. */
const nearlyEqual = 12
/** Letters that let this much of what is behind them through cannot be read. */
const leastAlpha = 0.06

const names: Record<string, string> = {
  ...{ white: '#ffffff', black: '#000000', snow: '#fffafa', ivory: '#fffff0', ghostwhite: '#f8f8ff' },
  ...{ whitesmoke: '#f5f5f5', floralwhite: '#fffaf0', mintcream: '#f5fffa', azure: '#f0ffff', red: '#ff0000' },
  ...{ yellow: '#ffff00', lime: '#00ff00', green: '#008000', blue: '#0000ff', navy: '#000080', gray: '#808080' },
  ...{ grey: '#808080', silver: '#c0c0c0', maroon: '#800000', purple: '#800080', teal: '#008080', orange: '#ffa500' },
}

export const isTransparent = (color: string): boolean =>
  color === 'transparent' || (channels(color)?.[3] ?? 1) < leastAlpha

/** Colors that are written in an unknown way are the same only if they are written alike. */
export function isSameColor(one: string, other: string): boolean {
  const [a, b] = [channels(one), channels(other)]
  if (!a || !b) return one === other && /^[a-z]/i.test(one) && !/^var\(|^picture$/.test(one)
  return a.slice(0, 3).every((value, i) => Math.abs(value - (b[i] as number)) <= nearlyEqual)
}

/** What is seen of a background on top of another; undefined when that depends on a color that is not known. */
export function blend(top: string, under: string): string | undefined {
  const [a, b] = [channels(top), channels(under)]
  if (!a || a[3] >= 1) return top
  if (!b) return undefined
  const alpha = Math.max(0, a[3])
  const mix = (i: 0 | 1 | 2) => a[i] * alpha + b[i] * (1 - alpha)
  return `rgb(${mix(0)},${mix(1)},${mix(2)})`
}

/** Undefined for colors that are not written in one of the common ways. */
export function channels(color: string): Channels | undefined {
  const text = names[color] ?? color
  const hex = /^#?([0-9a-f]{3,8})$/i.exec(text)?.[1]
  if (hex && hex.length !== 5 && hex.length !== 7) {
    const pairs = hex.length < 6 ? [...hex].map((digit) => digit + digit) : (hex.match(/../g) ?? [])
    const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
    return [red, green, blue, alpha / 255]
  }
  const [, kind, inside = ''] = /^(rgb|hsl)a?\(([^()]{1,100})\)$/.exec(text) ?? []
  const parts = inside.split(/[\s,/]+/).filter(Boolean)
  if (!kind || parts.length < 3) return undefined
  const [first, second, third, alpha] = parts.map((part) => Number.parseFloat(part))
  if (first === undefined || second === undefined || third === undefined) return undefined
  const opacity = alpha === undefined ? 1 : parts[3]?.endsWith('%') ? alpha / 100 : alpha
  if (kind === 'hsl') return [...fromHue(first, second / 100, third / 100), opacity]
  const scaled = (value: number, i: number) => (parts[i]?.endsWith('%') ? value * 2.55 : value)
  return [scaled(first, 0), scaled(second, 1), scaled(third, 2), opacity]
}

function fromHue(hue: number, saturation: number, lightness: number): [number, number, number] {
  const most = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const place = (offset + hue / 30) % 12
    return 255 * (lightness - most * Math.max(-1, Math.min(place - 3, 9 - place, 1)))
  }
  return [channel(0), channel(8), channel(4)]
}
