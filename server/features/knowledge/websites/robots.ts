import { matchesPath } from './page-address.ts'

export interface Robots {
  allows(path: string): boolean
  /** In seconds. */
  crawlDelay: number | undefined
  sitemaps: string[]
}

interface Group {
  agents: string[]
  rules: { allow: boolean; pattern: string }[]
  crawlDelay: number | undefined
}

/** Files may be longer; the rest is ignored, as RFC 9309 allows. */
export const maxRobotsBytes = 500 << 10
/** Each is compared with each page. */
const maxRules = 2000

/** Reads a robots.txt for the crawler of this name (RFC 9309): the longest rule decides, and `allow` wins a tie. */
export function parseRobots(text: string, agent: string): Robots {
  const groups: Group[] = []
  const sitemaps: string[] = []
  let group: Group | undefined
  let isOpen = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] = /^\s*([a-z-]+)\s*:\s*([^#]*)/i.exec(line) ?? []
    const given = value.trim()
    const field = name.toLowerCase()
    if (field === 'sitemap') sitemaps.push(given)
    else if (field === 'user-agent') {
      if (!group || !isOpen) {
        group = { agents: [], rules: [], crawlDelay: undefined }
        groups.push(group)
      }
      group.agents.push(given.toLowerCase())
      isOpen = true
    } else if (group && field === 'crawl-delay') {
      isOpen = false
      if (Number(given) > 0) group.crawlDelay = Number(given)
    } else if (group && (field === 'allow' || field === 'disallow')) {
      isOpen = false
      if (given && group.rules.length < maxRules) group.rules.push({ allow: field === 'allow', pattern: given })
    }
  }
  const ours = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()))
  const chosen = ours.length > 0 ? ours : groups.filter(({ agents }) => agents.includes('*'))
  const rules = chosen
    .flatMap((each) => each.rules)
    .sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
  return {
    allows: (path) => rules.find(({ pattern }) => matchesPath(pattern, path))?.allow ?? true,
    crawlDelay: chosen.find(({ crawlDelay }) => crawlDelay !== undefined)?.crawlDelay,
    sitemaps,
  }
}
