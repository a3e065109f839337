/** The largest number of sends in any one second. */
export function mostInASecond(sent: number[]): number {
  let most = 0
  for (let from = 0, to = 0; to < sent.length; to++) {
    while ((sent[to] as number) - (sent[from] as number) >= 1000) from++
    most = Math.max(most, to - from + 1)
  }
  return most
}
