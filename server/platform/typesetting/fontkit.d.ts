/** As much of fontkit as the report uses: it comes without types. */
declare module 'fontkit' {
  export interface OutlinePoint {
    x: number
    y: number
    onCurve: boolean
    /** The last of its contour. */
    endContour: boolean
    copy(): OutlinePoint
  }

  export interface Glyph {
    id: number
    codePoints: number[]
    advanceWidth: number
    path?: { toSVG(): string }
  }

  export interface Outline {
    numberOfContours: number
    points?: OutlinePoint[]
  }

  export interface TrueTypeSubset {
    glyf: Uint8Array[]
    loca: { offsets: number[] }
    hmtx: { metrics: { advance: number; bearing: number }[] }
    offset: number
    _addGlyph(id: number): number
  }

  export interface GlyphRun {
    glyphs: Glyph[]
    positions: { xAdvance: number; xOffset: number; yOffset: number }[]
    /** Set by `makeCopyable`: what is drawn as a shape and not as text, in the font's units. */
    dots: { x: number; y: number; shape: string }[]
    advanceWidth: number
  }

  export interface Font {
    postscriptName: string
    variationCoords: number[] | null
    _tables: Record<string, unknown>
    layout(text: string, features?: string[]): GlyphRun
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(id: number, codePoints?: number[]): Glyph & { _decode(): Outline | null }
    createSubset(): TrueTypeSubset
    _layoutEngine: {
      substitute(run: GlyphRun): void
      engine: { glyphInfos: { id: number; codePoints: number[] }[] | null } | null
    }
    _variationProcessor: { transformPoints(id: number, points: OutlinePoint[]): void }
  }

  export function create(bytes: Uint8Array): Font
}
