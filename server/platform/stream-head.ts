/** Passes a stream on and remembers its first bytes, by which a file's type is recognized. */
export function createStreamHead(size: number) {
  let head = Buffer.alloc(0)
  return {
    bytes: () => head,
    async *remembering(bytes: AsyncIterable<Buffer>) {
      for await (const piece of bytes) {
        if (head.length < size) head = Buffer.concat([head, piece.subarray(0, size - head.length)])
        yield piece
      }
    },
  }
}
