/** Line plots as SVG, readable on light and on dark pages: throughput by connections, percentiles by minute. */

interface Axis {
  label: string
  /** Each step is a factor, not a difference: for connections (1, 2, 4 …) or latencies. */
  isLogarithmic?: boolean
}

interface Plot {
  title: string
  x: Axis
  y: Axis
  series: { name: string; points: [x: number, y: number][] }[]
}

const [width, height] = [720, 400]
const area = { left: 72, right: 24, top: 72, bottom: 56 }
/** Distinguishable with a color vision deficiency, and beside it by their dashes. */
const strokes = [
  { light: '#0b62c4', dark: '#6db3ff', dash: 'none' },
  { light: '#b4480a', dark: '#ffab70', dash: '7 4' },
  { light: '#3d7a1f', dark: '#8fd66b', dash: '2 4' },
  { light: '#7a3fb5', dark: '#c9a3ff', dash: '9 3 2 3' },
]

export function linePlot({ title, x, y, series }: Plot): string {
  const all = series.flatMap(({ points }) => points)
  const marksX = x.isLogarithmic ? [...new Set(all.map(([at]) => at))].sort((a, b) => a - b) : marks(x, all, 0)
  const marksY = marks(y, all, 1)
  const toX = scale(x, marksX, [area.left, width - area.right])
  const toY = scale(y, marksY, [height - area.bottom, area.top])
  const grid = marksY.map((mark) => {
    const at = toY(mark).toFixed(1)
    return `<line class="grid" x1="${area.left}" x2="${width - area.right}" y1="${at}" y2="${at}"/>
<text x="${area.left - 8}" y="${at}" dy="0.35em" text-anchor="end">${mark.toLocaleString('en')}</text>`
  })
  const below = marksX.map(
    (mark) =>
      `<text x="${toX(mark).toFixed(1)}" y="${height - area.bottom + 20}" text-anchor="middle">${mark.toLocaleString('en')}</text>`,
  )
  const lines = series.map(({ name, points }, i) => {
    const at = points.map(([px, py]) => [toX(px).toFixed(1), toY(py).toFixed(1)])
    const dots =
      points.length > 30 ? [] : at.map(([cx, cy]) => `<circle class="dot s${i}" cx="${cx}" cy="${cy}" r="3"/>`)
    const legend = area.left + i * 200
    return `<polyline class="line s${i}" points="${at.map((pair) => pair.join()).join(' ')}"/>${dots.join('')}
<line class="line s${i}" x1="${legend}" x2="${legend + 28}" y1="50" y2="50"/><text x="${legend + 36}" y="50" dy="0.35em">${escaped(name)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>${styles(series.length)}</style>
<rect class="page" width="${width}" height="${height}" rx="6"/>
<text class="title" x="${area.left}" y="28">${escaped(title)}</text>
${[...grid, ...below, ...lines].join('\n')}
<text x="${(area.left + width - area.right) / 2}" y="${height - 14}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(16 ${(height - area.bottom + area.top) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>
</svg>
`
}

/** Round numbers that span the values: from zero, or powers of ten with 2 and 5 between them. */
function marks({ isLogarithmic }: Axis, points: [number, number][], axis: 0 | 1): number[] {
  const values = points.map((point) => point[axis])
  const most = Math.max(...values)
  if (isLogarithmic) {
    const least = Math.min(...values)
    const steps = Array.from({ length: 40 }, (_, i) => ([1, 2, 5][i % 3] as number) * 10 ** (Math.floor(i / 3) - 4))
    const first = steps.findLastIndex((step) => step <= least)
    return steps.slice(Math.max(0, first), steps.findIndex((step) => step >= most) + 1)
  }
  const rough = most / 5 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) as number) * power
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step)
}

function scale({ isLogarithmic }: Axis, marked: number[], [from, to]: [number, number]): (value: number) => number {
  const place = isLogarithmic ? Math.log : (value: number) => value
  const [least, most] = [place(marked[0] as number), place(marked.at(-1) as number)]
  return (value) => from + ((place(value) - least) / (most - least || 1)) * (to - from)
}

function styles(count: number): string {
  const colors = (scheme: 'light' | 'dark') =>
    strokes.slice(0, count).map((each, i) => `.line.s${i}{stroke:${each[scheme]}}.dot.s${i}{fill:${each[scheme]}}`)
  const dashes = strokes.slice(0, count).map(({ dash }, i) => `.line.s${i}{stroke-dasharray:${dash}}`)
  return `text{font:13px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}.page{fill:#fff}
.grid{stroke:#ddd}.line{fill:none;stroke-width:2}${dashes.join('')}${colors('light').join('')}
@media(prefers-color-scheme:dark){text{fill:#ddd}.page{fill:#161b22}.grid{stroke:#333b45}${colors('dark').join('')}}`
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
