import type { MediaType } from './media-types.ts'

/** A file that is going to be sent, in our keeping. */
export interface KeptFile {
  id: string
  key: string
  sendAs: MediaType
  mimeType: string
  fileName: string
  size: number
  sha256: string
}
