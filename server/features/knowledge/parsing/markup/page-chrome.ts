import { attribute, descendants, isElement, type MarkupElement } from './read-markup.ts'

/** What a page has around its content. */
export interface PageChrome {
  /** Headers and footers of the page, not those of an article in it. */
  landmarks: Set<MarkupElement>
  navigation: Set<MarkupElement>
  cookieBanners: Set<MarkupElement>
}

export function findPageChrome(tree: MarkupElement): PageChrome {
  const chrome: PageChrome = { landmarks: new Set(), navigation: new Set(), cookieBanners: new Set() }
  const visit = (element: MarkupElement, isSectioned: boolean) => {
    for (const each of element.children) {
      if (!isElement(each)) continue
      if (isNavigation(each)) chrome.navigation.add(each)
      else if (isCookieBanner(each)) chrome.cookieBanners.add(each)
      else {
        if (!isSectioned && isLandmark(each)) chrome.landmarks.add(each)
        visit(each, isSectioned || sections.has(each.name))
      }
    }
  }
  visit(tree, false)
  return chrome
}

const sections = new Set(['main', 'article', 'section', 'aside', 'dialog', 'blockquote'])
const roleOf = (element: MarkupElement): string => attribute(element, 'role')?.trim().toLowerCase() ?? ''
const contains = (element: MarkupElement, ...names: string[]): boolean =>
  names.some((name) => descendants(element, name).length > 0)

const isNavigation = (element: MarkupElement): boolean =>
  element.name === 'nav' || ['navigation', 'search', 'menubar'].includes(roleOf(element))

/** A longer header is the content of a page that has no better element for it. */
const longestHeader = 1000

function isLandmark(element: MarkupElement): boolean {
  const role = roleOf(element)
  if (element.name === 'footer' || role === 'contentinfo') return !contains(element, 'main', 'article')
  if (element.name !== 'header' && role !== 'banner') return false
  return !contains(element, 'main', 'article') && lettersOf(element) <= longestHeader
}

const banners =
  /(?:cookie|consent|gdpr|dsgvo|rgpd|lgpd)s?[\w-]*(?:banner|notice|bar\b|popup|modal|overlay|dialog|disclaimer|message|hint|hinweis|alert|wall|toast|prompt|consent|manager)|(?:banner|notice|popup|modal|overlay|dialog|accept)[\w-]*(?:cookie|consent|gdpr)|\b(?:onetrust|cookiebot|cybot|usercentrics|didomi|iubenda-cs|cc-window|cc-banner|cky-|osano|truste|qc-cmp|borlabs|cmplz|termly|klaro|cookieconsent|cookie-law)/i
const names = /cookie|consent|gdpr/i
const bannerRoles = ['dialog', 'alertdialog', 'alert', 'region', 'banner', 'status']
/** A page about cookies says more about them. */
const longestBanner = 3000

/** A baker's list of cookies is none: a banner has a name or a role that says so, or a button. */
function isCookieBanner(element: MarkupElement): boolean {
  if (element.name === 'html' || element.name === 'body' || element.name === 'main') return false
  const own = `${element.attributes.id ?? ''} ${element.attributes.class ?? ''}`
  const label = attribute(element, 'aria-label') ?? ''
  const isNamed =
    banners.test(own) ||
    (names.test(label) && bannerRoles.includes(roleOf(element))) ||
    (names.test(`${own} ${label}`) && contains(element, 'button'))
  return isNamed && !contains(element, 'main', 'article', 'h1') && lettersOf(element) <= longestBanner
}

const silent = new Set(['script', 'style', 'template', 'noscript'])

function lettersOf(element: MarkupElement): number {
  let count = 0
  for (const each of element.children) {
    if (!isElement(each)) count += each.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    else if (!silent.has(each.name) && !isNavigation(each)) count += lettersOf(each)
  }
  return count
}
