import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** The browser that tests drive. The one without a window of its own comes first: it does the same with half the work. */
export const chromiumPath = process.env.CHROMIUM_PATH ?? places.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

/** Why tests in a browser are passed over, if they are: `suite('…', { skip: withoutChromium }, …)`. */
export const withoutChromium = existsSync(chromiumPath)
  ? false
  : `there is no Chromium at ${chromiumPath}: install it, or say where it is with CHROMIUM_PATH`

/** Chromium's sandbox does not run as root, which is who containers often run tests as. */
export const chromiumArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : []
