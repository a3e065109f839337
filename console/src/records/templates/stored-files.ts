import { fileAddress } from '../../data/api.ts'
import { type Components, handleOf, keyOf, partOf, partsOf, type Slot, slotsOf } from './template-parts.ts'

/** Files for headers that Frontdesk stores. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the value of a header is the ID of a stored file, not a URL. */
export const isStoredFile = (value: string): boolean => uuid.test(value)

export const storedFileAddress = (id: string): string => fileAddress(`/api/v1/templates/media/${id}/download`)

/** A template, or the part of it that tells its samples. */
export interface Sampled {
  components: Components
  /** The stored files of samples, by WhatsApp's handle. */
  sample_files?: Record<string, string>
}

/**
 * The samples of media headers by their places, `header` or `card.0.header`: stored files, or URLs where WhatsApp
 * returned them.
 */
export function sampleFilesOf({ components, sample_files = {} }: Sampled): Record<string, string> {
  const files = slotsOf(components).flatMap((slot) => {
    const handle = slot.kind === 'media' ? handleOf(headerAt(components, slot)) : ''
    const file = sample_files[handle] ?? (/^https?:/.test(handle) ? handle : undefined)
    return file ? [[keyOf(slot), file]] : []
  })
  return Object.fromEntries(files)
}

function headerAt(components: Components, { where }: Slot) {
  const card = /^card\.(\d+)\./.exec(where)?.[1]
  return partOf(card === undefined ? components : (partsOf(components).cards[Number(card)] ?? []), 'HEADER')
}
