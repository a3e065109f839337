import type { LiteParse, ParsedPage, TextItem } from '@llamaindex/liteparse'
import { decodePng, type Pixels } from './decode-png.ts'

/** In points. */
export const smallestLetters = 1

/** In square points. A larger page is not rendered, and its light text kept: it would take gigabytes. */
const largestPage = 16_000_000

/** Renders at one pixel per point, which is enough to see whether there is anything. */
type PageRenderer = Pick<LiteParse, 'screenshot' | 'parsePages'>

/** Pages without the text that a reader cannot see. */
export async function withoutHiddenText(
  pages: ParsedPage[],
  bytes: Buffer,
  renderer: PageRenderer,
): Promise<ParsedPage[]> {
  const rendered = await render(pages.filter(hasLight), bytes, renderer)
  return pages.map((page) => {
    const png = rendered.get(page.pageNum)
    const pixels = png && decodePng(png)
    const textItems = page.textItems.filter(
      (item) => !isTiny(item) && !(pixels && isLight(item) && isUniform(item, page, pixels)),
    )
    if (textItems.length === page.textItems.length) return page
    const { pageNum: pageNumber, width: pageWidth, height: pageHeight } = page
    const [laidOut] = renderer.parsePages([{ pageNumber, pageWidth, pageHeight, textItems }]).pages
    return { ...page, textItems, blocks: laidOut?.blocks ?? [] }
  })
}

const hasLight = ({ textItems, width, height }: ParsedPage): boolean =>
  width * height <= largestPage && textItems.some(isLight)

async function render(pages: ParsedPage[], bytes: Buffer, renderer: PageRenderer): Promise<Map<number, Buffer>> {
  if (pages.length === 0) return new Map()
  try {
    const numbers = pages.map(({ pageNum }) => pageNum)
    const screenshots = await renderer.screenshot(bytes, numbers)
    return new Map(screenshots.map(({ pageNum, imageBuffer }) => [pageNum, imageBuffer]))
  } catch (error) {
    process.stderr.write(`Light text is kept: ${error instanceof Error ? error.message : error}\n`)
    return new Map()
  }
}

const isTiny = ({ fontHeight }: TextItem): boolean => fontHeight !== undefined && fontHeight <= smallestLetters

/** From 0 to 255. Text that is darker is visible on most backgrounds; rendering every page would take too long. */
const leastLuminance = 170

/** Transparent, or light: whether it can be seen depends on what is behind it. */
function isLight({ fillColor }: TextItem): boolean {
  const [alpha = 255, red = 0, green = 0, blue = 0] = Buffer.from(fillColor ?? '', 'hex')
  return fillColor !== undefined && (alpha < 16 || 0.299 * red + 0.587 * green + 0.114 * blue >= leastLuminance)
}

/** Differences of color that no one sees. */
const tolerance = 8

/** Whether nothing can be seen where a text stands. */
function isUniform({ x, y, width, height }: TextItem, page: ParsedPage, pixels: Pixels): boolean {
  const scale = pixels.width / page.width
  const [left, right] = [Math.max(0, Math.floor(x * scale)), Math.min(pixels.width, Math.ceil((x + width) * scale))]
  const [top, bottom] = [Math.max(0, Math.floor(y * scale)), Math.min(pixels.height, Math.ceil((y + height) * scale))]
  const first = (top * pixels.width + left) * pixels.channels
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) {
      const at = (row * pixels.width + column) * pixels.channels
      for (let channel = 0; channel < pixels.channels; channel++) {
        const difference = (pixels.data[at + channel] as number) - (pixels.data[first + channel] as number)
        if (Math.abs(difference) > tolerance) return false
      }
    }
  return true
}
