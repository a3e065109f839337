import type { MediaType } from './media-types.ts'

/** A file in our file store that is about to be sent. */
export interface KeptFile {
  id: string
  key: string
  sendAs: MediaType
  /** Whether the platform shows it as a sticker; `sendAs` is then `image`. */
  isSticker: boolean
  mimeType: string
  fileName: string
  size: number
  sha256: string
}
