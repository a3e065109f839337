import { create, type Font, type OutlinePoint } from 'fontkit'

const onCurve = 1
const unitsPerEm = 1000

/**
 * An instance of a variable font at one weight. fontkit reads such files but cannot subset them: it looks for outlines
 * where WOFF2 has none, and leaves them at the thinnest weight. Here the outlines are moved to the weight and written
 * again.
 */
export function openVariableSlice(bytes: Uint8Array, weight: number): Font {
  const font = create(bytes)
  font.variationCoords = [weight]
  // WOFF2 leaves the `loca` table out.
  font._tables.loca = { version: 1, offsets: [] }
  const createSubset = font.createSubset.bind(font)
  font.createSubset = () => {
    const subset = createSubset()
    subset._addGlyph = (id) => {
      const points = outlineOf(font, id)
      const outline = encodeOutline(points)
      subset.glyf.push(outline)
      subset.loca.offsets.push(subset.offset)
      const bearing = points.length > 0 ? Math.min(...points.map(({ x }) => x)) : 0
      subset.hmtx.metrics.push({ advance: font.getGlyph(id).advanceWidth, bearing })
      subset.offset += outline.length
      return subset.glyf.length - 1
    }
    return subset
  }
  return font
}

/** The four phantom points after the outline, which variations count. */
const sides = (): OutlinePoint[] =>
  [0, unitsPerEm, 0, 0].map((x) => {
    const point: OutlinePoint = { x, y: 0, onCurve: false, endContour: true, copy: () => ({ ...point }) }
    return point
  })

function outlineOf(font: Font, id: number): OutlinePoint[] {
  const drawn = font.getGlyph(id)._decode()
  if (!drawn) return []
  if (drawn.numberOfContours < 0) throw new Error('a slice with glyphs that are made of others')
  const points = (drawn.points ?? []).map((point) => point.copy())
  font._variationProcessor.transformPoints(id, [...points, ...sides()])
  return points
}

/** A simple TrueType glyph with every coordinate in full: a few bytes more, and nothing to get wrong. */
function encodeOutline(points: OutlinePoint[]): Uint8Array {
  if (points.length === 0) return new Uint8Array(0)
  const ends = points.flatMap(({ endContour }, i) => (endContour ? [i] : []))
  const length = 10 + 2 * ends.length + 2 + 5 * points.length
  const view = new DataView(new ArrayBuffer(Math.ceil(length / 4) * 4))
  let at = 0
  const write = (value: number) => {
    view.setInt16(at, value)
    at += 2
  }
  const xs = points.map(({ x }) => Math.round(x))
  const ys = points.map(({ y }) => Math.round(y))
  for (const value of [ends.length, Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]) write(value)
  for (const end of ends) write(end)
  write(0)
  for (const point of points) view.setUint8(at++, point.onCurve ? onCurve : 0)
  for (const values of [xs, ys]) for (const [i, value] of values.entries()) write(value - (values[i - 1] ?? 0))
  return new Uint8Array(view.buffer)
}
