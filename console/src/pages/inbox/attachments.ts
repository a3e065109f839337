import type { NewOutgoing } from './outbox.ts'

const megabyte = 1024 * 1024
const longestCaption = 1024

/** What the platform takes; what is none of these goes as a document. */
const limits: [kind: RegExp, name: string, megabytes: number][] = [
  [/^image\/(jpeg|png)$/, 'Pictures', 5],
  [/^video\/(mp4|3gpp)$/, 'Videos', 16],
  [/^audio\/(aac|amr|mpeg|mp4|ogg)/, 'Sound files', 16],
  [/^/, 'Files', 100],
]

/** Why a file cannot be sent, before anybody waits for it to be uploaded. */
export function fileFault({ size, type }: File): string | undefined {
  if (size === 0) return 'This file is empty'
  const [, name, megabytes] = limits.find(([kind]) => kind.test(type)) as (typeof limits)[number]
  return size > megabytes * megabyte ? `${name} can have at most ${megabytes} MB` : undefined
}

/** Each file is a message. The text goes with the first of them, unless that cannot carry it. */
export function splitSending(text: string, files: File[]): Pick<NewOutgoing, 'body' | 'file'>[] {
  const [first, ...others] = files
  if (!first) return [{ body: text }]
  const isApart = text !== '' && (first.type.startsWith('audio/') || text.length > longestCaption)
  return [
    ...(isApart ? [{ body: text }] : []),
    { body: isApart ? '' : text, file: first },
    ...others.map((file) => ({ body: '', file })),
  ]
}
