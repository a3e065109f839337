/**
 * A vector in signed bytes: its largest component becomes 127, and its scale is stored in front. Compared with one
 * scale for all vectors this keeps three more bits of most components, which separates close neighbours.
 */
const scaleBytes = 4

export interface Quantized {
  scale: number
  bytes: Int8Array
}

export function quantize(vector: Float32Array): Quantized {
  let largest = 0
  for (const component of vector) largest = Math.max(largest, Math.abs(component))
  const scale = largest / 127
  const bytes = new Int8Array(vector.length)
  if (scale > 0) for (let i = 0; i < vector.length; i++) bytes[i] = Math.round((vector[i] as number) / scale)
  return { scale, bytes }
}

/** The children of a chunk, concatenated as in `chunk_vectors`. */
export function packVectors(vectors: Float32Array[]): Buffer {
  return Buffer.concat(
    vectors.map((vector) => {
      const { scale, bytes } = quantize(vector)
      const packed = Buffer.alloc(scaleBytes + bytes.length)
      packed.writeFloatLE(scale)
      packed.set(new Uint8Array(bytes.buffer), scaleBytes)
      return packed
    }),
  )
}

export function* unpackVectors(packed: Buffer, dimensions: number): Generator<Quantized> {
  for (let at = 0; at + scaleBytes + dimensions <= packed.length; at += scaleBytes + dimensions)
    yield {
      scale: packed.readFloatLE(at),
      bytes: new Int8Array(packed.buffer, packed.byteOffset + at + scaleBytes, dimensions),
    }
}
