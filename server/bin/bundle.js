// Plain JavaScript: bin/frontdesk.js needs it with an older Node too.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The server in a few files, which load in a third of the time of its 2,000 modules: tools/bundle-server.js makes it when
 * packages are installed. It is a copy that is used only while it is one: from the first edit on, the source itself runs.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
export const bundleFolder = join(root, 'server/dist')
const list = join(bundleFolder, 'made-from.json')

/** The bundled command line, or undefined if it is missing or differs from the source. */
export function currentBundle() {
  try {
    const stamps = Object.entries(JSON.parse(readFileSync(list, 'utf8')))
    return stamps.every(([file, stamp]) => stampOf(file) === stamp) ? join(bundleFolder, 'cli.js') : undefined
  } catch {
    return undefined
  }
}

/** Traces of errors show the lines of the source. */
export function traceToSource() {
  const inBundle = /(?:file:\/\/)?[^( ]*\/server\/dist\/([\w.-]+):(\d+):\d+/
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) =>
      String(frame).replace(inBundle, (place, chunk, line) => sourceOf(chunk, line) ?? place),
    )
    return [errorText(error), ...lines].join('\n    at ')
  }
}

const chunks = new Map()

function sourceOf(chunk, line) {
  try {
    if (!chunks.has(chunk))
      chunks.set(chunk, JSON.parse(readFileSync(join(bundleFolder, `${chunk}.lines.json`), 'utf8')))
    const { sources, lines } = chunks.get(chunk)
    const [source, sourceLine] = lines.slice(2 * (line - 1))
    return source >= 0 ? `${join(root, sources[source])}:${sourceLine}` : undefined
  } catch {
    return undefined
  }
}

/** As in a trace without this function; an error can have anything as its name. */
function errorText(error) {
  try {
    return Error.prototype.toString.call(error)
  } catch {
    return '<error>'
  }
}

/** What the bundle was made from, for `made-from.json`: paths from the root of the repository. */
export function stampsOf(files) {
  return Object.fromEntries(files.map((file) => [file, stampOf(file)]))
}

/** Whole seconds, because the layers of an image keep no more of a time. */
function stampOf(file) {
  const { size, mtimeMs } = statSync(join(root, file))
  return `${size} ${Math.trunc(mtimeMs / 1000)}`
}
