import type { NewOutgoing } from './outbox.ts'

const megabyte = 1024 * 1024
const longestCaption = 1024

const office =
  /^application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.[\w.]+)$|^text\/plain$/

/** WhatsApp's limits by file type. */
const limits: [kind: RegExp, name: string, megabytes: number][] = [
  [/^image\/(jpeg|png)$/, 'Images', 5],
  [/^video\/(mp4|3gpp)$/, 'Videos', 16],
  [/^audio\/(aac|amr|mpeg|mp4|ogg)/, 'Audio files', 16],
  [office, 'Files', 100],
]

/** Why a file cannot be sent, checked before the upload. */
export function fileFault({ size, type }: File): string | undefined {
  if (size === 0) return 'This file is empty'
  const [, name, megabytes] = limits.find(([kind]) => kind.test(type)) ?? []
  // A browser leaves an unknown type empty: the server then looks at the file itself.
  if (name === undefined || megabytes === undefined)
    return type === '' ? undefined : `WhatsApp does not accept this file type (${type})`
  return size > megabytes * megabyte ? `${name} can be up to ${megabytes} MB` : undefined
}

/** Each file is a message. The text is the caption of the first one, unless that cannot have a caption. */
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
