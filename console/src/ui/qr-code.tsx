import { encode } from 'uqr'

/** Black on white in dark mode too: many scanners do not read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  // Scanners need a margin of four modules.
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      style={{ borderRadius: 8 }}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
