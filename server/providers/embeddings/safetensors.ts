/** A file of named tensors, read in place. */
export interface SafetensorsFile {
  shape(name: string): number[]
  /** As stored: two bytes per number. */
  bytes(name: string): Uint8Array
  read(name: string): Float32Array
}

interface Entry {
  dtype: string
  shape: number[]
  data_offsets: [number, number]
}

export function openSafetensors(file: Buffer): SafetensorsFile {
  const length = Number(file.readBigUInt64LE(0))
  const entries: Record<string, Entry> = JSON.parse(file.toString('utf8', 8, 8 + length))
  const entry = (name: string): Entry => {
    const found = entries[name]
    if (!found) throw new Error(`The model's file has no tensor ${name}`)
    return found
  }
  function bytes(name: string): Uint8Array {
    const { dtype, data_offsets } = entry(name)
    if (dtype !== 'F16') throw new Error(`${name} is ${dtype}; only F16 is read`)
    return file.subarray(8 + length + data_offsets[0], 8 + length + data_offsets[1])
  }
  return {
    shape: (name) => entry(name).shape,
    bytes,
    // Copied, because a tensor may begin at an odd offset in the file.
    read: (name) => new Float32Array(new Float16Array(new Uint8Array(bytes(name)).buffer)),
  }
}
