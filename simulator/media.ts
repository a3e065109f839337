import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Refusal, unknownObject } from './refusals.ts'
import type { SimulatorStore } from './store.ts'
import { newPlatformId } from './templates.ts'

interface StoredMedia {
  id: string
  mimeType: string
  /** Hexadecimal. */
  sha256: string
  size: number
}

export interface Media {
  keep(account: string, bytes: Buffer, mimeType: string, origin: 'uploaded' | 'inbound'): Promise<StoredMedia>
  /** Its type, if the account has it. */
  typeOf(account: string, id: string): Promise<string | undefined>
  find(id: string): Promise<(StoredMedia & { account: string }) | undefined>
  /** A download link for the next five minutes. */
  linkTo(media: StoredMedia, origin: string): string
  /** The bytes behind a link; throws for one that was changed or has expired. */
  fetch(id: string, query: URLSearchParams): Promise<{ account: string; mimeType: string; bytes: Buffer }>
  remove(id: string): Promise<void>
}

const dayMs = 24 * 3600 * 1000
const keptForMs = { uploaded: 30 * dayMs, inbound: 7 * dayMs }
const linkLivesMs = 5 * 60 * 1000
const mib = 1024 * 1024

/** Accepted types and sizes. */
const limits: [types: RegExp, bytes: number][] = [
  [/^image\/(jpeg|png)$/, 5 * mib],
  [/^image\/webp$/, 500 * 1024],
  [/^video\/(mp4|3gpp)$/, 16 * mib],
  [/^audio\/(aac|amr|mpeg|mp4|ogg)(;.*)?$/, 16 * mib],
  [
    /^(text\/plain|application\/(pdf|msword|vnd\.ms-(excel|powerpoint)|vnd\.openxmlformats-officedocument\.[\w.]+))$/,
    100 * mib,
  ],
]

export const largestUpload = 100 * mib

/** What each type of message carries. Every accepted file may go as a document, except WebP: that is a sticker. */
const carried: Record<string, RegExp> = {
  image: /^image\/(jpeg|png)$/,
  video: /^video\//,
  audio: /^audio\//,
  sticker: /^image\/webp$/,
  document: /^(?!image\/webp$)/,
}

export function checkCarried(type: string, mimeType: string): void {
  if (carried[type] && !carried[type].test(mimeType))
    throw new Refusal(131053, `Unsupported ${type} mime type ${mimeType}`)
}

export function checkUpload(mimeType: string, size: number): void {
  const most = limits.find(([types]) => types.test(mimeType))?.[1]
  if (most === undefined)
    throw new Refusal(
      100,
      `Param file must be a file with one of the supported types. Received file of type '${mimeType}'.`,
    )
  if (size === 0 || size > most) throw new Refusal(131053, `Media of type ${mimeType} must have 1 to ${most} bytes`)
}

export function createMedia(store: SimulatorStore): Media {
  /** Links are valid for the process that made them: five minutes need not survive a restart. */
  const linkKey = randomBytes(32)
  const known = new Map<string, { account: string; mimeType: string }>()
  const signatureOf = (id: string, expires: string) =>
    createHmac('sha256', linkKey).update(`${id} ${expires}`).digest('base64url')

  const find: Media['find'] = async (id) => {
    const record = await store.find('media', id)
    return record && { ...(record.data as StoredMedia), account: record.account }
  }
  return {
    async keep(account, bytes, mimeType, origin) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const media = { id: newPlatformId(), mimeType, sha256, size: bytes.length }
      const expiresAt = Date.now() + keptForMs[origin]
      await store.save({ kind: 'media', id: media.id, account, data: media, bytes, expiresAt })
      return media
    },
    async typeOf(account, id) {
      const media = known.get(id) ?? (await find(id))
      if (media?.account !== account) return undefined
      if (known.size > 10_000) known.clear()
      known.set(id, media)
      return media.mimeType
    },
    find,
    linkTo({ id }, origin) {
      const expires = String(Date.now() + linkLivesMs)
      return `${origin}/media/${id}?expires=${expires}&signature=${signatureOf(id, expires)}`
    },
    async fetch(id, query) {
      const expires = query.get('expires') ?? ''
      const given = Buffer.from(query.get('signature') ?? '')
      const expected = Buffer.from(signatureOf(id, expires))
      const isGood =
        given.length === expected.length && timingSafeEqual(given, expected) && Number(expires) > Date.now()
      const record = isGood ? await store.find('media', id) : undefined
      if (!record?.bytes) throw unknownObject(id)
      return { account: record.account, mimeType: (record.data as StoredMedia).mimeType, bytes: record.bytes }
    },
    async remove(id) {
      known.delete(id)
      await store.remove('media', id)
    },
  }
}
