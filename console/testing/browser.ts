import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after } from 'node:test'
import {
  type BrowserContext,
  type BrowserContextOptions,
  type Browser as Chromium,
  chromium,
  type LaunchOptions,
  type Locator,
  type Page,
} from 'playwright-core'
import { createSignInLink } from '../../server/features/organizations/create-sign-in-link.ts'
import { afterProcess } from '../../server/testing/after-process.ts'
import { startTestApp, type TestApp, type TestAppOptions, type TestOrganization } from '../../server/testing/app.ts'
import { chromiumArgs, chromiumPath, withoutChromium } from '../../server/testing/chromium.ts'
import { until } from '../../server/testing/process.ts'

/** Why browser tests are skipped, if they are: `suite('…', { skip }, …)`. */
export const skip = withoutChromium

/** Both widths and both color schemes. No style depends on the two together. */
export const screens = [
  ['desktop-light', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['phone-dark', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const

const timeoutMs = 90_000

let axe: string | undefined
const axeSource = () => {
  axe ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  return axe
}

export interface Window {
  page: Page
  context: BrowserContext
  /** Asserts that axe has no serious or critical findings. */
  assertAccessible(): Promise<void>
  /** Asserts that nothing overflows horizontally. */
  assertFits(): Promise<void>
  /** Runs the checks at both widths and in both color schemes, without loading the page again. */
  onEachScreen(check: (name: (typeof screens)[number][0]) => Promise<void>): Promise<void>
  /** Closes the window and returns the failed requests, as '404' or 'net::ERR_…'. */
  close(): Promise<string[]>
}

interface Browser {
  app: TestApp
  address: string
  /** An organization with an owner who can sign in. */
  organization(options?: { name?: string }): Promise<TestOrganization>
  linkFor(organization: TestOrganization): Promise<string>
  open(options?: BrowserContextOptions): Promise<Window>
  /** A window with the owner signed in, in test mode, at this path. */
  signIn(organization: TestOrganization, path?: string, options?: BrowserContextOptions): Promise<Window>
  /** The same for any member. */
  signInMember(userId: string, path?: string, options?: BrowserContextOptions): Promise<Window>
}

let shared: Promise<Chromium> | undefined

/** One Chromium for all files of the process, or one with the file's own options. */
async function launch(options: LaunchOptions | undefined): Promise<Chromium> {
  const args = [...chromiumArgs, ...(options?.args ?? [])]
  const start = () => chromium.launch({ executablePath: chromiumPath, ...options, args })
  if (!options) {
    shared ??= start()
    return shared
  }
  const browser = await start()
  after(() => browser.close())
  return browser
}
afterProcess(async () => (await shared)?.close())

/** The service and a browser, both closed at the end. */
export async function startBrowser(options: { app?: TestAppOptions; launch?: LaunchOptions } = {}): Promise<Browser> {
  const browser = await launch(options.launch)
  const app = await startTestApp({
    ...options.app,
    settings: { RATE_LIMIT_LOGINS_PER_MINUTE: 1000, RATE_LIMIT_PER_MINUTE: 100_000, ...options.app?.settings },
  })
  const address = await app.listen()
  let people = 0

  const tokenFor = (userId: string) => app.database.inSystem((tx) => createSignInLink(tx, userId))
  const linkFor = async ({ ownerId }: TestOrganization) => `${address}/#sign-in=${await tokenFor(ownerId as string)}`

  async function open(options: BrowserContextOptions = {}): Promise<Window> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      // Skips transitions.
      reducedMotion: 'reduce',
      ...options,
    })
    // Generous, for busy machines.
    context.setDefaultTimeout(timeoutMs)
    // Messages are sent at once, unless the test is about taking them back. The first, empty page has no storage.
    await context.addInitScript("if (location.protocol !== 'about:') localStorage['undo-seconds'] ??= '0'")
    const page = await context.newPage()
    const complaints: string[] = []
    const refusals: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return
      const [, refusal] = /^Failed to load resource: .*?(\d{3}|net::\w+)/.exec(message.text()) ?? []
      if (refusal) refusals.push(refusal)
      else complaints.push(message.text())
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(`${address}/`) && !/^(blob|data):/.test(url)) complaints.push(`a request to ${url}`)
    })
    return {
      page,
      context,
      async assertAccessible() {
        // Evaluated instead of injected, because the content security policy forbids script elements. It stays until a
        // reload.
        if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource())
        const findings = await page.evaluate(async () => {
          // biome-ignore lint/suspicious/noExplicitAny: axe is a global
          const { violations } = await (globalThis as any).axe.run({ resultTypes: ['violations'] })
          return violations
            .filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
            .map((each: { id: string; nodes: { html: string }[] }) => `${each.id}: ${each.nodes[0]?.html}`)
        })
        assert.deepEqual(findings, [])
      },
      async assertFits() {
        // What the page shows on this width may come a moment after a change of the window's size.
        // `waitForFunction` would poll with eval, which the content security policy forbids.
        await until(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
      },
      async onEachScreen(check) {
        const { viewport, colorScheme } = { ...screens[0][1], ...options }
        const show = async (look: { viewport: typeof viewport; colorScheme: typeof colorScheme }) => {
          if (look.viewport) await page.setViewportSize(look.viewport)
          await page.emulateMedia({ colorScheme: look.colorScheme })
          await page.locator(`html[data-mantine-color-scheme=${look.colorScheme}]`).waitFor()
          // Colors of some controls change in a transition.
          await page.evaluate(
            'Promise.allSettled(document.getAnimations().filter((each) => each instanceof CSSTransition).map(({ finished }) => finished)).then(() => {})',
          )
        }
        for (const [name, look] of screens) {
          await show(look)
          await check(name)
        }
        await show({ viewport, colorScheme })
      },
      async close() {
        await context.close()
        assert.deepEqual(complaints, [])
        return [...new Set(refusals)].sort()
      },
    }
  }

  async function signInMember(userId: string, path = '/', options?: BrowserContextOptions): Promise<Window> {
    const window = await open(options)
    // Signs in like the page does with a link, which has its own test.
    const answer = await window.context.request.post(`${address}/api/v1/auth/link`, {
      data: { token: await tokenFor(userId) },
      headers: { origin: address, 'x-frontdesk': '1' },
    })
    assert.equal(answer.status(), 200)
    await window.page.goto(address + path)
    await window.page.getByRole('heading', { level: 1 }).waitFor()
    return window
  }

  return {
    app,
    address,
    linkFor,
    open,
    organization: (options = {}) => app.organization({ owner: `owner-${++people}@example.com`, ...options }),
    signInMember,
    signIn: ({ ownerId }, path, options) => signInMember(ownerId as string, path, options),
  }
}

/** Whether an image is shown, not its alternative text. */
export const isLoaded = (image: Locator): Promise<boolean> =>
  image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth > 0)

/** A PNG file. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Saves a screenshot if SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) })
}
