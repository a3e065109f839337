/** The style of a run of text. */
export interface Style {
  bold?: boolean
  oblique?: boolean
  strike?: boolean
  color?: string
}

export interface Span extends Style {
  text: string
}

/** The chat's marks: *bold*, _italic_, ~struck~ and ```fixed```, each at a word boundary. */
const marks = /(?<![\p{L}\p{N}])(?:```([^`]+)```|([*_~])(?=\S)((?:(?!\2)[^\n])+?)(?<=\S)\2)(?![\p{L}\p{N}])/u
const styleOf: Record<string, Style> = { '*': { bold: true }, _: { oblique: true }, '~': { strike: true } }

/** A text with the chat's marks as the customer sees it. */
export function readMarks(text: string, style: Style = {}): Span[] {
  const found = marks.exec(text)
  if (!found) return text === '' ? [] : [{ ...style, text }]
  const [whole, fixed, mark = '', inner = ''] = found
  const before = text.slice(0, found.index)
  return [
    ...(before === '' ? [] : [{ ...style, text: before }]),
    ...(fixed === undefined ? readMarks(inner, { ...style, ...styleOf[mark] }) : [{ ...style, text: fixed }]),
    ...readMarks(text.slice(found.index + whole.length), style),
  ]
}
