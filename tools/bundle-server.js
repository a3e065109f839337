// A part of `npm run build`: writes the server into a few files, which load faster (server/bin/bundle.js, ADR 103).
// Plain JavaScript, so that an older Node can parse it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { bundleFolder, stampsOf } from '../server/bin/bundle.js'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Packages that every start loads, with those that they import themselves. The others stay where they are: some read files of their own. */
const included = [
  '@fastify/cookie',
  '@fastify/cors',
  '@fastify/multipart',
  '@opentelemetry/api',
  'ajv',
  'ajv-formats',
  'aws4fetch',
  'fastify',
  'jose',
  'libphonenumber-js',
  'pg',
  'pg-boss',
  'prom-client',
  'typebox',
  'undici',
  'ws',
]
/** Imported by those above: the log starts threads from files of its own, and the native ones are optional. */
const excluded = ['bufferutil', 'pg-native', 'pino', 'utf-8-validate']

const isOwn = (id) => id.startsWith(root) && !id.includes('node_modules')
const packageOf = (path) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path

const packages = {
  name: 'packages',
  resolveId(path, importer) {
    if (!importer || !/^[@a-z]/.test(path) || path.startsWith('node:')) return null
    const name = packageOf(path)
    if (excluded.includes(name) || (isOwn(importer) && !included.includes(name))) return { id: path, external: true }
    return null
  },
}

/** Files that are named by their place stay there: migrations, fonts, the programs of child processes. */
const places = {
  name: 'places',
  transform(code, id) {
    // Traces of errors name the sources of our own files only.
    if (!isOwn(id)) return { code, map: { mappings: '' } }
    const path = relative(bundleFolder, id).replaceAll('\\', '/')
    return {
      code: code
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('path').join(import.meta.dirname, '${dirname(path)}')`,
        )
        .replaceAll('import.meta.url', `new URL('${path}', import.meta.url).href`),
      map: null,
    }
  },
}

/** For each line of a chunk, where it comes from: pairs of a source's index and a line, -1 for code of packages. */
function linesOf({ code, map }) {
  const entries = new SourceMap(map)
  const lines = code.split('\n').flatMap((_, line) => {
    const { generatedLine, originalSource, originalLine } = entries.findEntry(line, Number.MAX_SAFE_INTEGER)
    return generatedLine === line && originalSource ? [map.sources.indexOf(originalSource), originalLine + 1] : [-1, 0]
  })
  return { sources: map.sources.map(pathInRepository), lines }
}

const pathInRepository = (path) => relative(root, resolve(bundleFolder, path)).replaceAll('\\', '/')

rmSync(bundleFolder, { recursive: true, force: true })
const bundle = await rolldown({ input: join(root, 'server/cli/cli.ts'), platform: 'node', plugins: [packages, places] })
const names = { dir: bundleFolder, entryFileNames: '[name].js', chunkFileNames: '[name].js' }
const { output } = await bundle.generate({ ...names, sourcemap: 'hidden' })
await bundle.close()

mkdirSync(bundleFolder)
const write = (name, text) => writeFileSync(join(bundleFolder, name), text)
for (const chunk of output.filter(({ type }) => type === 'chunk')) {
  write(chunk.fileName, chunk.code)
  if (chunk.map) write(`${chunk.fileName}.lines.json`, JSON.stringify(linesOf(chunk)))
}
const sources = output.flatMap(({ moduleIds = [] }) => moduleIds.filter(isOwn).map(pathInRepository))
// Written last: without it, the bundle counts as missing.
write('made-from.json', JSON.stringify(stampsOf(['package-lock.json', ...sources])))
