import { Fragment, type ReactNode } from 'react'
import classes from './phone-preview.module.css'
import { fillVariables } from './template-parts.ts'

/** Stands for a variable while the marks are read: no text that people write holds this character. */
const stand = '\uE000'

const marks: { mark: string; tag: 'strong' | 'em' | 's' }[] = [
  { mark: '*', tag: 'strong' },
  { mark: '_', tag: 'em' },
  { mark: '~', tag: 's' },
]

/** A mark counts between words only, holds no space at its inner edges and does not go on over the end of a line. */
const between = marks.map(
  ({ mark }) => `(?<![\\p{L}\\p{N}])[${mark}](?=\\S)([^\\n${mark}]*?[^\\s${mark}])[${mark}](?![\\p{L}\\p{N}])`,
)
const marked = new RegExp(['```([\\s\\S]+?)```', '`([^`\\n]+?)`', ...between].join('|'), 'u')

/** Text as the chat shows it: with bold, italic, struck and fixed-width parts, and names where nothing stands in yet. */
export function ChatText({
  text,
  valueAt,
}: {
  text: string
  /** Not there for what was said already: braces in it are braces. */
  valueAt?: (name: string) => string | undefined
}) {
  const unfilled: string[] = []
  const filled = valueAt
    ? fillVariables(text, (name) => {
        const value = valueAt(name)
        if (value !== undefined && value !== '') return value
        unfilled.push(name)
        return stand
      })
    : text
  let next = 0
  const plain = (words: string): ReactNode =>
    words.split(stand).map((part, i) => {
      const name = i === 0 ? undefined : unfilled[next++]
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other name
        <Fragment key={i}>
          {name !== undefined && <span className={classes.variable}>{`{{${name}}}`}</span>}
          {part}
        </Fragment>
      )
    })
  const read = (words: string): ReactNode => {
    const found = marked.exec(words)
    if (!found) return plain(words)
    const before = words.slice(0, found.index)
    const after = words.slice(found.index + found[0].length)
    const [, block, code, ...inner] = found
    const fixed = block ?? code
    const at = inner.findIndex((each) => each !== undefined)
    const Tag = marks[at]?.tag ?? 'span'
    return (
      <>
        {plain(before)}
        {fixed === undefined ? (
          <Tag>{read(inner[at] ?? '')}</Tag>
        ) : (
          <code className={classes.code}>{plain(fixed)}</code>
        )}
        {read(after)}
      </>
    )
  }
  return read(filled)
}
