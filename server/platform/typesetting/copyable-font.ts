import type { Font, GlyphRun } from 'fontkit'

/** A zero-width space: PDF readers skip it. */
const nothing = [0x200b]
/** Beyond every id that a font gives. */
const firstOwnId = 0x10000

/**
 * Fonts draw several letters with one shape, as the same arc under different dots in Arabic, but a PDF remembers one
 * letter for each glyph. Here each pair of shape and letter becomes a glyph of its own, so that text can be copied and
 * searched.
 */
export function makeCopyable(font: Font): Font {
  const shapes = new Map<number, number>()
  const ids = new Map<string, number>()

  // fontkit keeps the first glyph that it made of a shape. One that a subset asked for, as the u of ü, has no letters:
  // texts that are laid out afterwards would lose that letter.
  const getGlyph = font.getGlyph.bind(font)
  font.getGlyph = (id, codePoints) => {
    const glyph = getGlyph(id, codePoints)
    if (codePoints && glyph.codePoints.length === 0) glyph.codePoints = codePoints
    return glyph
  }
  const engine = font._layoutEngine
  const substitute = engine.substitute.bind(engine)
  engine.substitute = (run) => {
    substitute(run)
    // Only here the letters of each place are still known: fontkit, too, remembers one letter for each shape.
    run.glyphs = run.glyphs.map((glyph, i) => {
      const codePoints = engine.engine?.glyphInfos?.[i]?.codePoints ?? glyph.codePoints
      // The width is remembered with the glyph itself.
      return Object.create(glyph, { codePoints: { value: codePoints }, advanceWidth: { value: glyph.advanceWidth } })
    })
  }
  const layout = font.layout.bind(font)
  font.layout = (text, features): GlyphRun => {
    const run = layout(text, features)
    takeOutDots(run)
    run.glyphs = run.glyphs.map(({ id: shape, codePoints, advanceWidth }) => {
      const key = `${shape} ${codePoints}`
      const id = ids.get(key) ?? firstOwnId + ids.size
      ids.set(key, id)
      shapes.set(id, shape)
      return { id, codePoints: codePoints.length > 0 ? codePoints : nothing, advanceWidth }
    })
    return run
  }
  const createSubset = font.createSubset.bind(font)
  font.createSubset = () => {
    const subset = createSubset()
    const add = subset._addGlyph.bind(subset)
    subset._addGlyph = (id) => add(shapes.get(id) ?? id)
    return subset
  }
  return font
}

/**
 * The dots of Arabic letters are glyphs without a letter, and readers stumble over them. They are taken out of the text
 * and drawn as shapes.
 */
function takeOutDots(run: GlyphRun): void {
  let x = 0
  const isDot = run.glyphs.map(({ codePoints }, i) => codePoints.length === 0 && run.positions[i]?.xAdvance === 0)
  run.dots = []
  for (const [i, { xAdvance, xOffset, yOffset }] of run.positions.entries()) {
    if (isDot[i]) run.dots.push({ x: x + xOffset, y: yOffset, shape: run.glyphs[i]?.path?.toSVG() ?? '' })
    x += xAdvance
  }
  run.glyphs = run.glyphs.filter((_, i) => !isDot[i])
  run.positions = run.positions.filter((_, i) => !isDot[i])
}
