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

/** For file dialogs. */
export const acceptedFiles =
  'image/jpeg,image/png,video/mp4,video/3gpp,audio/aac,audio/amr,audio/mpeg,audio/mp4,audio/ogg,.aac,.amr,.opus,.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt'

/** Files whose type some browsers do not know: the server looks at their content. */
const knownEndings = /\.(aac|amr|opus|ogg|3gp|docx?|xlsx?|pptx?|pdf|txt)$/i

/** Why a file cannot be sent, checked before the upload. */
export function fileFault({ name: fileName, size, type }: File): string | undefined {
  if (size === 0) return 'This file is empty'
  const [, name, megabytes] = limits.find(([kind]) => kind.test(type)) ?? []
  if (name === undefined || megabytes === undefined) {
    if (type === '' && knownEndings.test(fileName)) return undefined
    return `WhatsApp does not accept this file type${type && ` (${type})`}. Send JPEG, PNG, MP4, audio, PDF, Office or text files`
  }
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
