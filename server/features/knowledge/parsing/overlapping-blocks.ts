import type { LayoutBlock, ParsedPage, Rect, TextItem } from '@llamaindex/liteparse'
import { joinBrokenWords } from './clean-text.ts'
import { linesOf, visualLines } from './visual-lines.ts'

/** Of the smaller of two blocks; boxes of neighbouring lines touch each other. */
const leastOverlap = 0.5

/** A page with this many blocks is a drawing. */
const maxCompared = 500

/**
 * Wide gaps between the words of justified lines are taken for gutters, and lines are torn into blocks that overlap.
 * Blocks of a page never do, so the text of overlapping ones is read line by line.
 */
export function mergeOverlapping(page: ParsedPage): LayoutBlock[] {
  const { blocks = [] } = page
  if (blocks.length > maxCompared) return blocks
  const regions = regionsOf(blocks.filter(isText))
  if (regions.length === 0) return blocks
  const merged = new Map<LayoutBlock, LayoutBlock[]>()
  for (const { bbox, blocks: torn } of regions) {
    const lines = visualLines(bbox, page)
    if (hasGutter(lines, bbox)) continue
    for (const block of torn) merged.set(block, [])
    merged.set(torn[0] as LayoutBlock, paragraphsOf(lines))
  }
  return blocks.flatMap((block) => merged.get(block) ?? [block])
}

const isText = ({ kind, bbox }: LayoutBlock): boolean =>
  bbox !== undefined && (kind === 'paragraph' || kind === 'heading' || kind === 'list_item')

interface Region {
  bbox: Rect
  blocks: LayoutBlock[]
}

function regionsOf(blocks: LayoutBlock[]): Region[] {
  let regions: Region[] = blocks.map((block) => ({ bbox: block.bbox as Rect, blocks: [block] }))
  for (let i = 0; i < regions.length; i++) {
    const region = regions[i] as Region
    const others = regions.slice(i + 1)
    const overlapping = others.filter(({ bbox }) => overlaps(bbox, region.bbox))
    if (overlapping.length === 0) continue
    const torn = [region, ...overlapping].flatMap((each) => each.blocks)
    regions = [
      ...regions.slice(0, i),
      { bbox: unionOf([region, ...overlapping].map(({ bbox }) => bbox)), blocks: torn },
      ...others.filter((each) => !overlapping.includes(each)),
    ]
    // The larger box may overlap others.
    i = -1
  }
  return regions.filter((region) => region.blocks.length > 1)
}

function overlaps(a: Rect, b: Rect): boolean {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return width > 0 && height > 0 && width * height > leastOverlap * Math.min(a.width * a.height, b.width * b.height)
}

function unionOf(boxes: Rect[]): Rect {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y }
}

/** In lines. Gaps of fewer lines are above each other by chance. */
const leastLines = 4
/** In points. */
const stripWidth = 3

/** Whether nearly all lines leave the same strip empty: then there are columns, and reading by line would mix them. */
function hasGutter(lines: TextItem[][], { x: left, width }: Rect): boolean {
  if (lines.length < leastLines) return false
  for (let x = left + stripWidth; x + 2 * stripWidth < left + width; x += stripWidth) {
    const crossing = lines.filter((line) => line.some((item) => item.x < x + stripWidth && item.x + item.width > x))
    const both = lines.filter((line) => line.some((item) => item.x < x) && line.some((item) => item.x > x))
    if (crossing.length > lines.length * 0.1) continue
    if (both.length >= lines.length * 0.5 || areColumns(lines, { x, width })) return true
  }
  return false
}

/** Narrower ones are numbers and marks of a list. */
const leastColumn = 0.25

/** Whether wide text stands at the same heights on both sides: lines of columns need not be level. */
function areColumns(lines: TextItem[][], { x, width }: { x: number; width: number }): boolean {
  const items = lines.flat()
  const sides = [items.filter((item) => item.x + item.width <= x), items.filter((item) => item.x > x)]
  if (sides.some((side) => side.length < leastLines)) return false
  const [left, right] = sides.map(boxOf) as [Rect, Rect]
  const height = Math.min(left.y + left.height, right.y + right.height) - Math.max(left.y, right.y)
  return Math.min(left.width, right.width) >= leastColumn * width && height >= Math.max(left.height, right.height) / 2
}

/** A larger gap than between the lines of a paragraph, in heights of a line. */
const paragraphGap = 0.6

function paragraphsOf(lines: TextItem[][]): LayoutBlock[] {
  const paragraphs: TextItem[][][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const line of lines) {
    const [top, height] = [Math.min(...line.map(({ y }) => y)), Math.max(...line.map((item) => item.height))]
    if (top - end > paragraphGap * height) paragraphs.push([])
    paragraphs.at(-1)?.push(line)
    end = Math.max(...line.map((item) => item.y + item.height))
  }
  return paragraphs.map((each) => ({
    kind: 'paragraph',
    text: escapeMarks(joinBrokenWords(linesOf(each)).replaceAll('\n', ' ')),
    bbox: boxOf(each.flat()),
  }))
}

/** Texts of blocks are markdown. */
const escapeMarks = (text: string): string => text.replace(/[\\*]/g, '\\$&')

const boxOf = (items: TextItem[]): Rect => unionOf(items.map(({ x, y, width, height }) => ({ x, y, width, height })))
