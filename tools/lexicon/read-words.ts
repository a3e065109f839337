interface FoundText {
  kind: 'identifier' | 'comment'
  text: string
  line: number
}

/**
 * The identifiers and comments of TypeScript or SQL source. String literals are left out: they are product texts,
 * examples and wire values, which have their own review. Code inside `${…}` of a template is read.
 */
export function readWords(source: string, language: 'ts' | 'sql'): FoundText[] {
  const found: FoundText[] = []
  const comment = language === 'ts' ? String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/` : String.raw`--[^\n]*|\/\*[\s\S]*?\*\/`
  const quoted = language === 'ts' ? String.raw`'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"` : `'(?:''|[^'])*'`
  const regex =
    language === 'ts'
      ? String.raw`|(?<=[=(,:!&|?;\n]\s*)\/(?![*\/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^\/\\\n[])+\/[a-z]*`
      : ''
  const tokens = new RegExp(
    `(?<comment>${comment})|(?<skip>${quoted}${regex})|(?<name>[A-Za-z_$][\\w$]*)|(?<mark>[\`{}])`,
    'g',
  )
  let line = 1
  let at = 0
  /** Open braces since each `${` of the templates that are open. */
  const templates: number[] = []
  const lineOf = (index: number) => {
    for (; at < index; at++) if (source.charCodeAt(at) === 10) line++
    return line
  }
  for (let match = tokens.exec(source); match; match = tokens.exec(source)) {
    const { comment, name, mark } = match.groups as Record<string, string | undefined>
    if (comment) found.push({ kind: 'comment', text: comment, line: lineOf(match.index) })
    else if (name) found.push({ kind: 'identifier', text: name, line: lineOf(match.index) })
    else if (mark && language === 'ts') {
      const depth = templates.at(-1)
      if (mark === '{' && depth !== undefined) templates[templates.length - 1] = depth + 1
      const endsCode = mark === '}' && depth === 0
      if (mark === '}' && depth) templates[templates.length - 1] = depth - 1
      if (endsCode) templates.pop()
      if (mark === '`' || endsCode) {
        const end = endOfTemplateText(source, match.index + 1)
        if (source[end] === '$') templates.push(0)
        tokens.lastIndex = end + (source[end] === '$' ? 2 : 1)
      }
    }
  }
  return found
}

/** Where the text of a template literal ends: at its backtick, or at the `$` of a `${`. */
function endOfTemplateText(source: string, from: number): number {
  for (let i = from; i < source.length; i++) {
    if (source[i] === '\\') i++
    else if (source[i] === '`' || (source[i] === '$' && source[i + 1] === '{')) return i
  }
  return source.length
}

/** `leaseOfWorker` and `lease_of_worker` → "lease of worker". */
export const partsOf = (identifier: string): string =>
  identifier
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
