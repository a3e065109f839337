import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesPath, pageAddress } from './page-address.ts'
import { parseRobots } from './robots.ts'

const allowed = (text: string, path: string) => parseRobots(text, 'FrontdeskBot').allows(path)

test('the group of our name replaces the one for everyone; the longest rule decides, and allow wins a tie', () => {
  const text = `User-agent: other\nUser-agent: frontdeskbot # us\nDisallow: /a\nAllow: /a/b\nCrawl-delay: 2.5\n
User-agent: *\nDisallow: /\nSitemap: https://example.com/map.xml`
  assert.deepEqual(
    ['/', '/a', '/a/b', '/abc', '/b'].map((path) => allowed(text, path)),
    [true, false, true, false, true],
  )
  const { crawlDelay, sitemaps } = parseRobots(text, 'FrontdeskBot')
  assert.deepEqual([crawlDelay, sitemaps], [2.5, ['https://example.com/map.xml']])
  assert.equal(allowed('User-agent: *\nDisallow: /p\nAllow: /p', '/p'), true)
  assert.equal(allowed('User-agent: *\nDisallow:', '/p'), true)
  assert.equal(allowed('Disallow: /', '/p'), true)
})

test('patterns have stars and an end, and hostile ones take no time', () => {
  assert.equal(matchesPath('/*.pdf$', '/a/b.pdf'), true)
  assert.equal(matchesPath('/*.pdf$', '/a/b.pdf?x'), false)
  assert.equal(matchesPath('/a*c', '/abcd'), true)
  assert.equal(matchesPath('/a*c', '/abd'), false)
  // A regular expression would not come back from this.
  assert.equal(matchesPath(`/${'*a'.repeat(100)}b$`, `/${'a'.repeat(1000)}`), false)
})

test('an address has one form: without fragment, session and tracking', () => {
  assert.equal(
    pageAddress('/a;jsessionid=1?utm_source=x&b=2&PHPSESSID=3#c', 'https://example.com/d'),
    'https://example.com/a?b=2',
  )
  assert.equal(pageAddress('javascript:alert(1)', 'https://example.com'), undefined)
  assert.equal(pageAddress('https://example.com:443'), 'https://example.com/')
})
