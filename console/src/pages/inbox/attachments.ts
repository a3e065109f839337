import type { NewOutgoing } from './outbox.ts'

const megabyte = 1024 * 1024
const longestCaption = 1024

const office =
  /^application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.[\w.]+)$|^text\/plain$/

/** What WhatsApp takes. */
const limits: [kind: RegExp, name: string, megabytes: number][] = [
  [/^image\/(jpeg|png)$/, 'Pictures', 5],
  [/^video\/(mp4|3gpp)$/, 'Videos', 16],
  [/^audio\/(aac|amr|mpeg|mp4|ogg)/, 'Sound files', 16],
  [office, 'Files', 100],
]

/** Why a file cannot be sent, before anybody waits for it to be uploaded. */
export function fileFault({ size, type }: File): string | undefined {
  if (size === 0) return 'This file is empty'
  const [, name, megabytes] = limits.find(([kind]) => kind.test(type)) ?? []
  // A browser that does not know a type says nothing: the server looks at the file itself.
  if (name === undefined || megabytes === undefined)
    return type === '' ? undefined : `WhatsApp does not take this type of file (${type})`
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
