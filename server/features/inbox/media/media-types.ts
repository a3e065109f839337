import { documentsByExtension, images, sounds, videos } from '../../../platform/mime-types.ts'
import type { MessageType } from '../schema.ts'

export type MediaType = Exclude<MessageType, 'text'>

const megabyte = 1024 * 1024

interface MediaRule {
  maxBytes: number
  mimeTypes: string[]
}

/**
 * What the platform accepts. It refuses every other type at upload, including ZIP and CSV. It accepts WebP only as a
 * sticker, a message type that the API does not send.
 */
export const mediaRules: Record<MediaType, MediaRule> = {
  image: { maxBytes: 5 * megabyte, mimeTypes: images },
  video: { maxBytes: 16 * megabyte, mimeTypes: videos },
  audio: { maxBytes: 16 * megabyte, mimeTypes: sounds },
  document: {
    maxBytes: 100 * megabyte,
    mimeTypes: [...Object.values(documentsByExtension), ...images, ...videos, ...sounds],
  },
}
export const largestMediaBytes = mediaRules.document.maxBytes

/** The message type for a file, unless the sender chooses another. */
export function mediaTypeOf(mimeType: string): MediaType {
  const fits = (Object.keys(mediaRules) as MediaType[]).find((type) => mediaRules[type].mimeTypes.includes(mimeType))
  return fits ?? 'document'
}

/**
 * Exactly one type with its parameters: browsers use the last of a list, and other characters are not valid in a
 * header.
 */
const oneType = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,100}(?:; ?[a-z0-9-]+=[\w."+-]+)*$/

/** The Content-Type to serve a file with, whose type the contact's device declared. */
export function servedType(declaredType: string | null): string {
  const type = declaredType?.trim().toLowerCase() ?? ''
  return oneType.test(type) ? type : 'application/octet-stream'
}

/** Browsers display these inline without running any script in them. */
export const mayBeShown = (mimeType: string): boolean =>
  /^(audio|video)\/[\w.+-]+/.test(mimeType) || /^image\/(jpeg|png|gif|webp)\b/.test(mimeType)
