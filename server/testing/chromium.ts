import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** The browser that tests use. The headless shell comes first: it does the same with half the CPU time. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

/** Why browser tests are skipped, if they are: `suite('…', { skip: withoutChromium }, …)`. */
export const withoutChromium = existsSync(chromiumPath)
  ? false
  : `there is no Chromium at ${chromiumPath}: install it, or say where it is with CHROMIUM_PATH`

/** Chromium's sandbox does not run as root, and containers often run tests as root. */
export const chromiumArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : []
