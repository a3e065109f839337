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
 * sticker.
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
/** `isAnimated` is read from the file. */
export const stickerRule = (isAnimated: boolean): MediaRule => ({
  maxBytes: (isAnimated ? 500 : 100) * 1024,
  mimeTypes: ['image/webp'],
})
export const largestStickerBytes = stickerRule(true).maxBytes

/** The extended WebP format has a bit for animation in its first chunk; the simple formats have none. */
export const isAnimatedWebp = (head: Buffer): boolean =>
  head.toString('latin1', 12, 16) === 'VP8X' && ((head[20] ?? 0) & 0x02) !== 0

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
