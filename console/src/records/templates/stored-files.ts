import { fileAddress } from '../../data/api.ts'
import { type Components, handleOf, keyOf, partOf, partsOf, type Slot, slotsOf } from './template-parts.ts'

/** Files for headers that Frontdesk stores. */

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether the value of a header is the ID of a stored file, not a URL. */
export const isStoredFile = (value: string): boolean => uuid.test(value)

export const storedFileAddress = (id: string): string => fileAddress(`/api/v1/templates/media/${id}/download`)

/**
 * The stored files of samples, by WhatsApp's handle. The API returns the file of a handle only when it is uploaded, so
 * this browser remembers the latest.
 */
const storageKey = 'template samples'
const mostRemembered = 50

function remembered(): [handle: string, file: string][] {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]')
  } catch {
    return []
  }
}

export const rememberSample = (handle: string, file: string): void =>
  localStorage.setItem(storageKey, JSON.stringify([...remembered(), [handle, file]].slice(-mostRemembered)))

/**
 * The samples of media headers by their places, `header` or `card.0.header`: stored files that this browser uploaded,
 * or URLs where WhatsApp returned them.
 */
export function sampleFilesOf(components: Components): Record<string, string> {
  const known = new Map(remembered())
  const files = slotsOf(components).flatMap((slot) => {
    const handle = slot.kind === 'media' ? handleOf(headerAt(components, slot)) : ''
    const file = known.get(handle) ?? (/^https?:/.test(handle) ? handle : undefined)
    return file ? [[keyOf(slot), file]] : []
  })
  return Object.fromEntries(files)
}

function headerAt(components: Components, { where }: Slot) {
  const card = /^card\.(\d+)\./.exec(where)?.[1]
  return partOf(card === undefined ? components : (partsOf(components).cards[Number(card)] ?? []), 'HEADER')
}
