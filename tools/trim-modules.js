// The last step of `npm ci`: deletes files that npm cannot leave out and that nothing here reads, about 440 MB.
// Plain JavaScript, so that an older Node can parse it. A file that cannot be deleted stays: this never fails an install.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))

function attempt(work, otherwise) {
  try {
    return work()
  } catch {
    return otherwise
  }
}
const list = (folder) => attempt(() => readdirSync(folder, { withFileTypes: true }), [])
const remove = (path) => attempt(() => rmSync(path, { recursive: true, force: true }))

/** Does not follow links: the workspaces are linked into node_modules. */
function removeSourceMaps(folder) {
  for (const entry of list(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) removeSourceMaps(path)
    else if (/\.[cm]?(js|ts|css)\.map$/.test(entry.name)) remove(path)
  }
}

// The package has the libraries of all platforms.
const runtimes = join(modules, 'onnxruntime-node/bin/napi-v6')
for (const platform of list(runtimes))
  for (const arch of list(join(runtimes, platform.name)))
    if (platform.name !== process.platform || arch.name !== process.arch)
      remove(join(runtimes, platform.name, arch.name))

// Headers for compiling addons.
for (const { name } of list(modules)) if (/^node-(linux|win)-/.test(name)) remove(join(modules, name, 'include'))

// A fallback for Linux on x64, which has a package of its own.
for (const file of ['liteparse.linux-x64-gnu.node', 'libpdfium.so'])
  remove(join(modules, '@llamaindex/liteparse', file))

// Language data for text recognition comes in two sizes; the small one is read.
for (const { name } of list(join(modules, '@tesseract.js-data')))
  remove(join(modules, '@tesseract.js-data', name, '4.0.0'))

removeSourceMaps(modules)
