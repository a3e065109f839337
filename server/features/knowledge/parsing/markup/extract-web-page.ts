import { createRequire } from 'node:module'
import { Readability } from '@mozilla/readability'
import { writeMarkdown } from '../blocks.ts'
import { UnreadableDocument } from '../document.ts'
import { decodeHtml } from './decode-html.ts'
import { type Appearance, appearanceOf, embeddedRules, usualAppearance, visiblePart } from './hidden-html.ts'
import { findPageChrome, type PageChrome } from './page-chrome.ts'
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
  const chrome = findPageChrome(tree)
  const whole = markdownOf(tree, (element) => usuallyChrome.has(element.name) || isChrome(element, chrome))
  const main = mainContent(tree, { url, chrome })
  const content = main && main.text.length >= whole.length * leastShare ? main.text : whole
  const text = lettersIn(content) >= fewLetters ? content : withChrome(tree, { content, chrome })
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

const usuallyChrome = new Set(['nav', 'header', 'footer', 'aside', 'form', 'button'])

const isChrome = (element: MarkupElement, { landmarks, navigation, cookieBanners }: PageChrome): boolean =>
  landmarks.has(element) || navigation.has(element) || cookieBanners.has(element)

function markdownOf(tree: MarkupElement, skip: (element: MarkupElement) => boolean): string {
  const writer = writeMarkdown()
  writeHtml(tree, writer, skip)
  return writer.finish()
}

/** Where the content is shorter, the page consists of little else than what is usually left out. */
const fewLetters = 20
const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** The page with its headers and footers, then with its navigation, until there is some text. */
function withChrome(tree: MarkupElement, { content, chrome }: { content: string; chrome: PageChrome }): string {
  const { navigation, cookieBanners } = chrome
  let text = content
  for (const skip of [
    (element: MarkupElement) => navigation.has(element) || cookieBanners.has(element),
    (element: MarkupElement) => cookieBanners.has(element),
  ]) {
    if (lettersIn(text) >= fewLetters) break
    const more = markdownOf(tree, skip)
    if (lettersIn(more) > lettersIn(text)) text = more
  }
  return text === '' ? markdownOf(tree, () => false) : text
}

interface Parsed {
  documentElement: unknown
}
const JSDOMParser = createRequire(import.meta.url)('@mozilla/readability/JSDOMParser.js') as new () => {
  parse(html: string, url: string): Parsed
}

/** What Firefox's reader view would show; nothing when it finds no article. */
function mainContent(
  tree: MarkupElement,
  { url, chrome }: { url: string; chrome: PageChrome },
): { title: string; text: string } | undefined {
  try {
    // Of a short page Readability returns all of the body, so that what is around the content is left out before.
    const page = new JSDOMParser().parse(
      visibleMarkup(tree, (element) => isChrome(element, chrome)),
      url,
    )
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
function visibleMarkup(tree: MarkupElement, skip: (element: MarkupElement) => boolean): string {
  const rules = embeddedRules(tree)
  const parts: string[] = []
  const visit = (node: MarkupNode, inherited: Appearance) => {
    if (!isElement(node)) {
      parts.push(escapeMarkup(visiblePart(node, inherited)))
      return
    }
    const { name, attributes } = node
    const appearance =
      dropped.has(name) || skip(node) || !/^[a-z][a-z0-9-]*$/.test(name)
        ? undefined
        : appearanceOf(node, inherited, rules)
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
