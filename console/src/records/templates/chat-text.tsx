import { Fragment, type ReactNode } from 'react'
import classes from './phone-preview.module.css'
import { fillVariables } from './template-parts.ts'

/** Placeholder for a variable while formatting is parsed: a private-use character. */
const stand = '\uE000'

const marks: { mark: string; tag: 'strong' | 'em' | 's' }[] = [
  { mark: '*', tag: 'strong' },
  { mark: '_', tag: 'em' },
  { mark: '~', tag: 's' },
]

/** Formatting marks apply at word borders, without spaces inside them, and within one line. */
const between = marks.map(
  ({ mark }) => `(?<![\\p{L}\\p{N}])[${mark}](?=\\S)([^\\n${mark}]*?[^\\s${mark}])[${mark}](?![\\p{L}\\p{N}])`,
)
/** A web address in a text. A bracket or a full stop at its end belongs to the sentence. */
const address = '(?<![\\p{L}\\p{N}@/.])((?:https?:\\/\\/|www\\.)[^\\s<>"`]*[\\p{L}\\p{N}\\/=&#_%+~-])'
const marked = new RegExp(['```([\\s\\S]+?)```', '`([^`\\n]+?)`', address, ...between].join('|'), 'u')

/** Text as WhatsApp renders it: bold, italic, strikethrough, monospace and links. Empty variables show their names. */
export function ChatText({
  text,
  valueAt,
}: {
  text: string
  /** Not given for messages that were sent: braces in them are plain text. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no ID
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
    const [, block, code, link, ...inner] = found
    const fixed = block ?? code
    const at = inner.findIndex((each) => each !== undefined)
    const Tag = marks[at]?.tag ?? 'span'
    return (
      <>
        {plain(before)}
        {link !== undefined ? (
          <TextLink address={link}>{plain(link)}</TextLink>
        ) : fixed === undefined ? (
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

/** Only web addresses match, so no link can run a script. The page that it opens gets no access to this one. */
function TextLink({ address, children }: { address: string; children: ReactNode }) {
  const url = address.startsWith('www.') ? `https://${address}` : address
  if (!URL.canParse(url)) return children
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={classes.link}>
      {children}
    </a>
  )
}
