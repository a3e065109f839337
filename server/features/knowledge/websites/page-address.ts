/** Parameters that say how a visitor came, or which visit this is; the page is the same without them. */
const ofVisits =
  /^(?:utm_\w+|fbclid|gclid|msclkid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*|sid|sessionid|session_id)$/i
const maxLength = 1000

/** The one address of a page, or undefined if it is none that can be requested. */
export function pageAddress(address: string, base?: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  url.hash = ''
  url.pathname = url.pathname.replace(/;jsessionid=[^/]*/i, '')
  for (const name of [...url.searchParams.keys()]) if (ofVisits.test(name)) url.searchParams.delete(name)
  return url.href.length <= maxLength ? url.href.replace(/\?$/, '') : undefined
}

/** The address without its numbers and the values of its parameters: pages of an endless calendar have the same. */
export function shapeOf(address: string): string {
  const url = new URL(address)
  const names = [...new Set(url.searchParams.keys())].sort().join('&')
  return `${url.pathname.replace(/\d+/g, '0')}${names && `?${names}`}`.slice(0, 500)
}

/** How many pages may have the same shape. A catalogue has a number in its path; a calendar has parameters. */
export function maxOfShape(shape: string): number {
  return shape.includes('?') ? 100 : 1000
}

const maxSegments = 15
const maxParameters = 8

/** Paths that repeat themselves come from relative links that lead deeper and deeper. */
export function looksEndless(address: string): boolean {
  const { pathname, searchParams } = new URL(address)
  const segments = pathname.split('/').filter(Boolean)
  const counts = Map.groupBy(segments, (segment) => segment)
  return (
    segments.length > maxSegments ||
    [...searchParams.keys()].length > maxParameters ||
    [...counts.values()].some((same) => same.length > 2)
  )
}

/** Whether two origins are one site: only `www.` and the protocol may differ. */
export const isSameSite = (one: string, other: string): boolean => hostOf(one) === hostOf(other)
const hostOf = (origin: string) => new URL(origin).host.replace(/^www\./, '')

/**
 * As in robots.txt: the beginning of a path, `*` for anything, `$` for the end. Compared by hand, because a regular
 * expression of many stars could take minutes, and the patterns of robots.txt are not ours.
 */
export function matchesPath(given: string, path: string): boolean {
  const pattern = given.endsWith('$') ? given.slice(0, -1) : `${given}*`
  let [at, next] = [0, 0]
  let star = -1
  let afterStar = 0
  while (at < path.length) {
    if (pattern[next] === '*') {
      star = next++
      afterStar = at
    } else if (pattern[next] === path[at]) {
      next++
      at++
    } else if (star >= 0) {
      next = star + 1
      at = ++afterStar
    } else return false
  }
  while (pattern[next] === '*') next++
  return next === pattern.length
}

interface Scope {
  url: string
  kind: 'page' | 'site' | 'sitemap'
  origin: string
  include: string[]
  exclude: string[]
}

/** Whether a page belongs to the website. The start page always does. */
export function isInScope({ url, kind, origin, include, exclude }: Scope, address: string): boolean {
  const page = new URL(address)
  if (page.origin !== origin) return false
  const path = page.pathname + page.search
  if (exclude.some((pattern) => matchesPath(pattern, path))) return false
  if (include.length > 0) return include.some((pattern) => matchesPath(pattern, path))
  if (kind !== 'site') return true
  return page.pathname.startsWith(new URL(url).pathname.replace(/[^/]*$/, ''))
}

/** A part of an address as people read it; as it stands if it is not encoded properly. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
