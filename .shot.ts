import { chromium } from 'playwright-core'
const [link, out, ...paths] = process.argv.slice(2)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
const ctx = await browser.newContext({ viewport: { width: 1440, height: 900 } })
const page = await ctx.newPage()
page.on('console', (m) => { if (m.type() === 'error') console.log('console:', m.text()) })
page.on('pageerror', (e) => console.log('pageerror:', e))
await page.goto(link!)
await page.getByRole('heading', { level: 1 }).waitFor()
const origin = new URL(link!).origin
for (const path of paths) {
  const name = path.replaceAll(/[/?=&]/g, '_') || '_'
  for (const [w, h, tag] of [[1440, 900, 'desk'], [390, 844, 'phone']] as const) {
    await page.setViewportSize({ width: w, height: h })
    await page.goto(origin + path)
    await page.waitForTimeout(1500)
    await page.screenshot({ path: `${out}/${name}-${tag}.png` })
  }
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.waitForTimeout(300)
  await page.screenshot({ path: `${out}/${name}-dark.png` })
  await page.emulateMedia({ colorScheme: 'light' })
}
await browser.close()
