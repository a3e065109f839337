import type { Archive } from '../archive.ts'
import { attribute, child, childrenNamed, type MarkupElement } from '../markup/read-markup.ts'

/** How the cells of a style show their numbers, and whether a person sees them at all. */
export interface CellFormat {
  code: string
  isHidden: boolean
}

/** Formats that every workbook has without defining them. */
const builtIn: Record<number, string> = {
  9: '0%',
  10: '0.00%',
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm',
  19: 'h:mm:ss',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss',
}
for (const id of [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58]) builtIn[id] = 'yyyy-mm-dd'

export function readCellFormats(archive: Archive, part: string): CellFormat[] {
  const styles = child(archive.tree(part), 'styleSheet')
  const codes = new Map<number, string>()
  for (const format of childrenNamed(child(styles, 'numFmts'), 'numFmt'))
    codes.set(Number(attribute(format, 'numFmtId')), attribute(format, 'formatCode') ?? '')
  const fonts = childrenNamed(child(styles, 'fonts'), 'font')
  const fills = childrenNamed(child(styles, 'fills'), 'fill')
  return childrenNamed(child(styles, 'cellXfs'), 'xf').map((style) => {
    const id = Number(attribute(style, 'numFmtId') ?? 0)
    const code = codes.get(id) ?? builtIn[id] ?? ''
    const font = fonts[Number(attribute(style, 'fontId') ?? 0)]
    const isWhite = isWhiteColor(child(font, 'color')) && !isFilled(fills[Number(attribute(style, 'fillId') ?? 0)])
    // The format of cells that show nothing.
    return {
      code,
      isHidden:
        isWhite || /^;;;+$/.test(code.trim()) || Number(attribute(child(font, 'sz') ?? style, 'val') ?? 11) <= 1,
    }
  })
}

/** Color 0 of a theme is its background. */
const isWhiteColor = (color: MarkupElement | undefined): boolean =>
  color !== undefined &&
  (/^(?:FF)?FFFFFF$/i.test(attribute(color, 'rgb') ?? '') ||
    (attribute(color, 'theme') === '0' && !attribute(color, 'tint')))

function isFilled(fill: MarkupElement | undefined): boolean {
  const pattern = child(fill, 'patternFill')
  if (!pattern) return child(fill, 'gradientFill') !== undefined
  return (
    !/^(?:none|gray125)$/.test(attribute(pattern, 'patternType') ?? 'none') && !isWhiteColor(child(pattern, 'fgColor'))
  )
}

const withoutText = (code: string): string => (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*./g, '')

/** A number as the sheet shows it, without separators of thousands. */
export function formatNumber(value: string, code: string, startsIn1904: boolean): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value
  const plain = withoutText(code)
  const isTime = /[ymdhs]/i.test(plain.replace(/\[(?![hms]+\])[^\]]*\]/gi, '').replace(/general|red|e[+-]/gi, ''))
  if (isTime) return formatDate(number, plain, startsIn1904)
  const decimals = /\.([0#?]+)/.exec(plain)?.[1]?.length ?? (/[0#]/.test(plain) ? 0 : undefined)
  if (plain.includes('%')) return `${trimNumber(number * 100, decimals ?? 2)}%`
  const currency =
    /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(code)?.[1] ??
    /[$€£¥₹₽₺₩₪₫]|(?<=")\s*(?:[A-Z]{3}|zł|kr|Kč|Ft|R\$)\s*(?=")/.exec(code)?.[0]
  const text =
    plain.includes('E+') || plain === '' || /general/i.test(plain)
      ? trimNumber(number, undefined)
      : number.toFixed(Math.min(decimals ?? 10, 15))
  return currency ? `${text} ${currency.trim()}` : text
}

/** Fifteen digits, as spreadsheets show: the last ones of a double are noise. */
const trimNumber = (number: number, decimals: number | undefined): string =>
  String(Number(decimals === undefined ? number.toPrecision(15) : number.toFixed(Math.min(decimals, 15))))

const dayMs = 86_400_000
/** Spreadsheets count days from here, or four years later in files from old Macs. */
const dayZero = Date.UTC(1899, 11, 30)
const dayZero1904 = Date.UTC(1904, 0, 1)

function formatDate(days: number, code: string, startsIn1904: boolean): string {
  const hasDate = /[yd]/i.test(code) || (/m/i.test(code) && !/[hs]/i.test(code))
  const hasTime = /[hs]/i.test(code)
  if (/\[h+\]/i.test(code)) {
    const minutes = Math.round(days * 24 * 60)
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
  }
  const date = new Date((startsIn1904 ? dayZero1904 : dayZero) + Math.round((days * dayMs) / 1000) * 1000)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return String(days)
  const [day, time] = date.toISOString().split('T') as [string, string]
  const clock = time.slice(0, /s/i.test(code) && !time.startsWith('00', 6) ? 8 : 5)
  return [hasDate ? day : '', hasTime ? clock : ''].filter(Boolean).join(' ')
}
