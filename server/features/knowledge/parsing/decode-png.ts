import { inflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** Bytes per pixel. */
  channels: number
  data: Uint8Array
}

/** A PNG of eight bits per channel without interlacing, as the PDF reader writes it; nothing for others. */
export function decodePng(png: Buffer): Pixels | undefined {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = { 0: 1, 2: 3, 6: 4 }[png[25] as number]
  if (png[24] !== 8 || png[28] !== 0 || !channels) return undefined
  const parts: Buffer[] = []
  for (let at = 8; at + 8 <= png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const stride = width * channels
  const packed = inflateSync(Buffer.concat(parts), { maxOutputLength: (stride + 1) * height })
  const data = new Uint8Array(stride * height)
  let above: Uint8Array = new Uint8Array(stride)
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1)
    const line = data.subarray(row * stride, (row + 1) * stride)
    line.set(packed.subarray(start + 1, start + 1 + stride))
    undo[packed[start] as number]?.(line, above, channels)
    above = line
  }
  return { width, height, channels, data }
}

/** Each byte is stored as the difference to a guess from the bytes to the left and above. By the number of the guess. */
const undo: ((line: Uint8Array, above: Uint8Array, channels: number) => void)[] = [
  () => {},
  (line, _, channels) => {
    for (let i = channels; i < line.length; i++) line[i] = (line[i] as number) + (line[i - channels] as number)
  },
  (line, above) => {
    for (let i = 0; i < line.length; i++) line[i] = (line[i] as number) + (above[i] as number)
  },
  (line, above, channels) => {
    for (let i = 0; i < line.length; i++)
      line[i] =
        (line[i] as number) + (((i < channels ? 0 : (line[i - channels] as number)) + (above[i] as number)) >> 1)
  },
  (line, above, channels) => {
    for (let i = 0; i < line.length; i++) {
      const left = i < channels ? 0 : (line[i - channels] as number)
      const upLeft = i < channels ? 0 : (above[i - channels] as number)
      line[i] = (line[i] as number) + nearest(left, above[i] as number, upLeft)
    }
  },
]

function nearest(left: number, up: number, upLeft: number): number {
  const byLeft = Math.abs(up - upLeft)
  const byUp = Math.abs(left - upLeft)
  const byBoth = Math.abs(left + up - 2 * upLeft)
  if (byLeft <= byUp && byLeft <= byBoth) return left
  return byUp <= byBoth ? up : upLeft
}
