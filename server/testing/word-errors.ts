/** Word error rate: words to change, add or remove to get from `said` to `heard`, divided by the words of `said`. */
export function wordErrors(said: string, heard: string): number {
  const [a, b] = [words(said), words(heard)]
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (const [i, word] of a.entries()) {
    const next = [i + 1]
    for (const [j, other] of b.entries())
      next.push(
        Math.min((row[j] as number) + (word === other ? 0 : 1), (row[j + 1] as number) + 1, (next[j] as number) + 1),
      )
    row = next
  }
  return (row[b.length] as number) / a.length
}

const words = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9' ]+/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
