import { createRequire } from 'node:module'
import { Readability } from '@mozilla/readability'
import { writeMarkdown } from '../blocks.ts'
import { UnreadableDocument } from '../document.ts'
import { decodeHtml } from './decode-html.ts'
import { type Appearance, appearanceOf, embeddedRules, usualAppearance, visiblePart } from './hidden-html.ts'
import {
  attribute,
  descendants,
  isElement,
  type MarkupElement,
  type MarkupNode,
  readTree,
  textOf,
} from './read-markup.ts'
import { writeHtml } from './write-html.ts'

/** The main content of a web page. */
export interface WebPage {
  title: string
  /** Markdown, so that its headings, lists and tables survive: store it as a file of kind `md`. */
  text: string
  /** Absolute http(s) addresses without fragment, each once, in the order of the page; none where the page says nofollow. */
  links: string[]
  /** The address that the page names as its own, if it does. */
  canonical: string | null
  /** As the page declares it, e.g. `de` or `pt-BR`. */
  language: string | null
  /** The page asks not to be indexed (robots meta tag). */
  noindex: boolean
}

/** More links than this are a trap or a directory of everything. */
const maxLinks = 5000
/** Where the main content is less than this share of the page, all of it but navigation is more likely meant. */
const leastShare = 0.25

export function extractWebPage(
  bytes: Buffer,
  { url, charset }: { url: string; charset?: string | undefined },
): WebPage {
  const tree = readTree(decodeHtml(bytes, charset), { xml: false })
  const meta = (name: string) =>
    descendants(tree, 'meta').find(
      (each) => (attribute(each, 'name') ?? attribute(each, 'property'))?.toLowerCase() === name,
    )?.attributes.content
  const robots = `${meta('robots') ?? ''},${meta('frontdesk') ?? ''}`.toLowerCase()
  const base = addressOf(attribute(descendants(tree, 'base')[0] ?? tree, 'href') ?? '', url) ?? url
  const canonical = descendants(tree, 'link').find((each) => /\bcanonical\b/i.test(attribute(each, 'rel') ?? ''))
  const whole = markdownOf(tree)
  const main = mainContent(tree, url)
  const text = main && main.text.length >= whole.length * leastShare ? main.text : whole
  if (!/[\p{L}\p{N}]/u.test(text)) throw new UnreadableDocument('empty', 'There is no text on the page.')
  const title = oneLine(main?.title || textOf(descendants(tree, 'title')[0]) || textOf(descendants(tree, 'h1')[0]))
  return {
    title,
    text,
    links: /nofollow|none/.test(robots) ? [] : linksOf(tree, base),
    canonical: canonical ? (addressOf(attribute(canonical, 'href') ?? '', base) ?? null) : null,
    language:
      attribute(descendants(tree, 'html')[0] ?? tree, 'lang')?.trim() || meta('og:locale')?.replace('_', '-') || null,
    noindex: /noindex|none/.test(robots),
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const chrome = new Set(['nav', 'header', 'footer', 'aside', 'form', 'button'])

function markdownOf(tree: MarkupElement, skip = (element: MarkupElement) => chrome.has(element.name)): string {
  const writer = writeMarkdown()
  writeHtml(tree, writer, skip)
  return writer.finish()
}

interface Parsed {
  documentElement: unknown
}
const JSDOMParser = createRequire(import.meta.url)('@mozilla/readability/JSDOMParser.js') as new () => {
  parse(html: string, url: string): Parsed
}

/** What Firefox's reader view would show; nothing when it finds no article. */
function mainContent(tree: MarkupElement, url: string): { title: string; text: string } | undefined {
  try {
    const page = new JSDOMParser().parse(visibleMarkup(tree), url)
    const article = new Readability(page as unknown as ConstructorParameters<typeof Readability>[0]).parse()
    if (!article?.content) return undefined
    return { title: article.title ?? '', text: markdownOf(readTree(article.content, { xml: false }), () => false) }
  } catch (error) {
    process.stderr.write(`The main content cannot be found: ${error instanceof Error ? error.message : error}\n`)
    return undefined
  }
}

const dropped = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe', 'canvas', 'object', 'embed'])
const empty = new Set(['br', 'hr', 'img', 'input', 'meta', 'link', 'base', 'col', 'source', 'wbr', 'area'])

/** Well-formed markup of what is visible: the parser that comes with Readability reads no other. */
function visibleMarkup(tree: MarkupElement): string {
  const rules = embeddedRules(tree)
  const parts: string[] = []
  const visit = (node: MarkupNode, inherited: Appearance) => {
    if (!isElement(node)) {
      parts.push(escapeMarkup(visiblePart(node, inherited)))
      return
    }
    const { name, attributes } = node
    const appearance =
      dropped.has(name) || !/^[a-z][a-z0-9-]*$/.test(name) ? undefined : appearanceOf(node, inherited, rules)
    if (!appearance || (empty.has(name) && !appearance.isVisible)) return
    const kept = Object.entries(attributes).filter(([key]) => /^[a-z][a-z0-9-]*$/.test(key) && key !== 'style')
    parts.push(
      `<${name}${kept.map(([key, value]) => ` ${key}="${escapeMarkup(value).replaceAll('"', '&quot;')}"`).join('')}`,
    )
    if (empty.has(name)) {
      parts.push('/>')
      return
    }
    parts.push('>')
    for (const each of node.children) visit(each, appearance)
    parts.push(`</${name}>`)
  }
  const html = descendants(tree, 'html')[0]
  for (const node of html ? [html] : tree.children) visit(node, usualAppearance)
  const markup = parts.join('')
  return html ? markup : `<html><body>${markup}</body></html>`
}

const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function linksOf(tree: MarkupElement, base: string): string[] {
  const links = new Set<string>()
  for (const link of descendants(tree, 'a')) {
    if (/\bnofollow\b/i.test(attribute(link, 'rel') ?? '')) continue
    const address = addressOf(attribute(link, 'href') ?? '', base)
    if (address) links.add(address)
    if (links.size >= maxLinks) break
  }
  return [...links]
}

function addressOf(href: string, base: string): string | undefined {
  const address = href.trim() === '' ? null : URL.parse(href.trim(), base)
  if (!address || !/^https?:$/.test(address.protocol)) return undefined
  address.hash = ''
  return address.href
}
