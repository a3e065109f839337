import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'
import { makeCopyable } from './copyable-font.ts'
import { unpackWoff } from './unpack-woff.ts'
import { openVariableSlice } from './variable-slice.ts'

const weights = [400, 600] as const
export type Weight = (typeof weights)[number]

/** One font file: some characters of a script. */
export interface Face {
  name: string
  /** Whether its script runs from right to left. */
  isRightToLeft: boolean
  /** Opened on first use, and kept for the next report. */
  open(weight: Weight): Font
}

interface RangedFace extends Face {
  ranges: [first: number, last: number][]
}

const require = createRequire(import.meta.url)
const fileOf = (name: string) => readFileSync(require.resolve(name))

const rangesOf = (list: string): RangedFace['ranges'] =>
  list.split(',').map((range) => {
    const [first = 0, last = first] = range
      .slice(2)
      .split('-')
      .map((digits) => Number.parseInt(digits, 16))
    return [first, last]
  })

function facesOf(family: string, subsets: (subset: string) => boolean, isRightToLeft = false): RangedFace[] {
  const isVariable = family === 'noto-sans-sc' || family === 'noto-sans-kr'
  const folder = `${isVariable ? '@fontsource-variable' : '@fontsource'}/${family}`
  const unicode: Record<string, string> = JSON.parse(fileOf(`${folder}/unicode.json`).toString())
  return Object.entries(unicode)
    .map(([key, list]) => ({ subset: key.replace(/[[\]]/g, ''), list }))
    .filter(({ subset }) => subsets(subset))
    .map(({ subset, list }) => {
      const name = `${family}-${subset}`
      const opened = new Map<Weight, Font>()
      const open = (weight: Weight): Font => {
        const known = opened.get(weight)
        if (known) return known
        const font = makeCopyable(
          isVariable
            ? openVariableSlice(fileOf(`${folder}/files/${name}-wght-normal.woff2`), weight)
            : create(unpackWoff(fileOf(`${folder}/files/${name}-${weight}-normal.woff`))),
        )
        // PDFKit treats fonts of one name and origin as the same font.
        Object.defineProperty(font, 'postscriptName', { value: `${name}-${weight}` })
        opened.set(weight, font)
        return font
      }
      return { name, isRightToLeft, open, ranges: rangesOf(list) }
    })
}

const isSlice = (subset: string) => /^\d+$/.test(subset)
const latin = ['latin', 'latin-ext', 'vietnamese', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext']
const chinese = facesOf('noto-sans-sc', isSlice)
const korean = facesOf('noto-sans-kr', isSlice)

/** In order of preference. */
const faces: RangedFace[] = [
  ...facesOf('noto-sans', (subset) => latin.includes(subset)).sort(
    (a, b) => latin.indexOf(a.name.slice(10)) - latin.indexOf(b.name.slice(10)),
  ),
  ...facesOf('noto-sans-arabic', (subset) => subset === 'arabic', true),
  ...facesOf('noto-sans-hebrew', (subset) => subset === 'hebrew', true),
  ...facesOf('noto-sans-devanagari', (subset) => subset === 'devanagari'),
  ...facesOf('noto-sans-thai', (subset) => subset === 'thai'),
  ...chinese,
  ...korean,
  ...facesOf('noto-sans-arabic', (subset) => subset === 'symbols' || subset === 'math'),
]

const isIn = ({ ranges }: RangedFace, codePoint: number) =>
  ranges.some(([first, last]) => codePoint >= first && codePoint <= last)
const has = (face: RangedFace, codePoint: number) =>
  isIn(face, codePoint) && face.open(weights[0]).hasGlyphForCodePoint(codePoint)

const known = new Map<number, RangedFace | undefined>()

function faceOfCharacter(codePoint: number): RangedFace | undefined {
  if (!known.has(codePoint))
    known.set(
      codePoint,
      faces.find((face) => has(face, codePoint)),
    )
  return known.get(codePoint)
}

/** Controls how letters join, and has no glyph of its own. */
const joiners = new Set([0x200c, 0x200d])

/**
 * The face that can draw a whole grapheme (a letter with its marks), and what to draw: joiners that the face lacks are
 * left out. Nothing where no face can.
 */
export function faceFor(cluster: string): { face: Face; text: string } | undefined {
  const codePoints = [...cluster].map((each) => each.codePointAt(0) as number)
  const visible = codePoints.filter((each) => !joiners.has(each))
  const [first] = visible
  if (first === undefined) return undefined
  const own = faceOfCharacter(first)
  const face =
    own && visible.every((each) => own === faceOfCharacter(each) || has(own, each))
      ? own
      : faces.find((each) => visible.every((codePoint) => has(each, codePoint)))
  if (!face) return undefined
  const drawn = codePoints.filter((each) => !joiners.has(each) || has(face, each))
  return { face, text: String.fromCodePoint(...drawn) }
}
