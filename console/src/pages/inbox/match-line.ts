/** Characters before the match that fit into a row of the list, with the name of the sender. */
const longestLead = 16

/** The excerpt from a word or two before the match, so that the match is in view however narrow the row is. */
export function lineAt(excerpt: string, search: string): string {
  const at = excerpt.toLowerCase().indexOf(search.trim().toLowerCase())
  if (at <= longestLead) return excerpt
  const space = excerpt.indexOf(' ', at - longestLead)
  return `…${excerpt.slice(space === -1 || space >= at ? at : space + 1)}`
}
