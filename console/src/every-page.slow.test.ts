import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { demoRecords } from '../../server/testing/demo-records.ts'
import { picture, skip, startBrowser } from '../testing/browser.ts'

const errors = /Could not load this|Page not found|Something went wrong/

/** In this order one of the two changes at a time. */
const looks = [
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['dark', 390, 844],
  ['light', 390, 844],
] as const

/** The paths of the router, such as `/contacts/:contactId`. */
const routes = [...readFileSync(new URL('router.tsx', import.meta.url), 'utf8').matchAll(/ page\('([^']+)'/g)].map(
  ([, path]) => path as string,
)

/** A path of the route, with the ids of these records. A page without its optional part leads to its tabs. */
const pathsOf = (route: string, ids: Record<string, string>): string[] =>
  route === '/inbox/:ticketId?'
    ? ['/inbox', `/inbox/${ids.inbox_id}`]
    : [route.replace('/:tab?', '').replace(/:(\w+)Id/, (_, noun: string) => ids[`${noun}_id`] as string)]

/** Walks through each page are in the `*.slow.test.ts` beside it. */
suite('every page', { skip }, async () => {
  if (skip) return
  const { address, app, signIn } = await startBrowser({ app: { settings: { OUTBOUND_ALLOW: ['127.0.0.1'] } } })

  test('every page shows its records without an error, light and dark, on a desktop and on a phone', async () => {
    const org = await demoRecords(app)
    const { page, assertFits, close } = await signIn({ ...org, ownerId: org.owner.id })
    const paths = new Set(routes.flatMap((route) => pathsOf(route, org.ids)))
    // Tabs are added as they are found.
    for (const path of paths) {
      assert.doesNotMatch(path, /undefined|:/)
      const name =
        path === '/'
          ? 'dashboard'
          : path
              .slice(1)
              .replace(/[0-9a-f-]{36}/, 'one')
              .replaceAll('/', '-')
      for (const [index, [colorScheme, width, height]] of looks.entries()) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height })
        if (index === 0) await page.goto(address + path)
        await page.getByRole('heading').first().waitFor()
        await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
        assert.equal(await page.getByText(errors).count(), 0, path)
        await assertFits()
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
        await picture(page, `${name}-${width}-${colorScheme}`)
      }
      if (!routes.includes(`${path}/:tab?`)) continue
      for (const tab of await page.locator('[data-tab]').all())
        paths.add(`${path}/${await tab.getAttribute('data-tab')}`)
    }
    assert.ok(paths.has('/settings/account'))
    assert.deepEqual(await close(), [])
  })
})
