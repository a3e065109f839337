import type { TenantScope } from '../../../platform/database.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { type OutboundAnswer, OutboundError, type OutboundHttp } from '../../../platform/outbound-fetch.ts'
import { type Keeping, keepFile } from '../../files/keep-file.ts'
import { fileToSend, type WantedFile } from '../sending/reply-file.ts'
import type { KeptFile } from './kept-file.ts'
import { largestMediaBytes, largestStickerBytes, mediaRules } from './media-types.ts'

const loc = ['body', 'media_url']
const timeLimitMs = 30_000
const mostRedirects = 3

/** Downloads the file to send from the caller's URL. The outbound guard blocks internal addresses (SSRF). */
export async function fetchMediaUrl(
  deps: Keeping & { outbound: OutboundHttp },
  scope: TenantScope,
  { url, ...as }: WantedFile & { url: string },
): Promise<KeptFile> {
  const maxBytes = mostBytes(as)
  const { answer, fileName } = await open(deps.outbound, url, maxBytes)
  const fresh = await keepFile(deps, scope, answer.body)
    .catch((error) => {
      throw unfetchable(error, maxBytes)
    })
    .finally(() => answer.body.destroy())
  try {
    const declaredType = answer.headers['content-type'] ?? ''
    return fileToSend(fresh, { fileName, declaredType }, { ...as, loc })
  } catch (error) {
    await fresh.discard()
    throw error
  }
}

function mostBytes({ wanted, isSticker }: WantedFile): number {
  if (isSticker) return largestStickerBytes
  return wanted && wanted !== 'text' ? mediaRules[wanted].maxBytes : largestMediaBytes
}

/** Rejects URLs that the outbound guard would never allow, before anything else is done. */
export function checkMediaUrl(outbound: OutboundHttp, url: string | URL): void {
  const { protocol } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'http:') throw invalid(loc, 'media_url must begin with https:// or http://')
  if (outbound.isForbiddenAddress(url)) throw invalid(loc, 'media_url names an address that may not be called')
}

async function open(outbound: OutboundHttp, address: string, maxBytes: number) {
  let url = new URL(address)
  for (let redirects = 0; ; redirects++) {
    checkMediaUrl(outbound, url)
    const answer = await outbound.stream({ url, guarded: true, timeLimitMs, maxBytes }).catch((error) => {
      throw unfetchable(error, maxBytes)
    })
    if (answer.status === 200) return { answer, fileName: nameIn(url) }
    answer.body.destroy()
    const next = redirectOf(answer, url)
    if (!next) throw invalid(loc, `media_url answered ${answer.status}`)
    if (redirects === mostRedirects) throw invalid(loc, 'media_url redirects too often')
    url = next
  }
}

function redirectOf({ status, headers }: OutboundAnswer<unknown>, from: URL): URL | undefined {
  const { location } = headers
  const isRedirect = [301, 302, 303, 307, 308].includes(status)
  return isRedirect && location !== undefined && URL.canParse(location, from.href) ? new URL(location, from) : undefined
}

function unfetchable(error: unknown, maxBytes: number): unknown {
  if (!(error instanceof OutboundError)) return error
  if (error.fault === 'too_large')
    return new AppError(413, `The file at media_url is larger than ${maxBytes.toLocaleString('en')} bytes`)
  return invalid(loc, `media_url could not be fetched: ${error.message}`)
}

function nameIn({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last).replaceAll('\0', '').replace(/[/\\]/g, '_').toWellFormed().slice(0, 255)
  } catch {
    return last.slice(0, 255)
  }
}
