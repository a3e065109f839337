import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

/** Import direction: `router → shell, pages → records → data → ui`. Types, styles and lazy imports count too. */
const root = import.meta.dirname

const layers: [name: string, mayImport: string[]][] = [
  ['ui', []],
  ['data', ['ui']],
  ['records', ['data', 'ui']],
  ['shell', ['records', 'data', 'ui']],
  ['pages', ['records', 'data', 'ui']],
  ['', ['shell', 'pages', 'records', 'data', 'ui']],
]

/** `main.tsx` and `router.tsx` stand above all layers and have none of their own. */
const layerOf = (file: string) => (file.includes('/') ? (file.split('/')[0] as string) : '')
const nounOf = (file: string) => file.split('/')[1]

const imports = new Map<string, string[]>()
for (const file of globSync('**/*.{ts,tsx}', { cwd: root })) {
  if (file.endsWith('.test.ts')) continue
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'([^']+)'/g)]
  imports.set(
    file,
    specifiers.map(([, to = '']) => {
      if (!to.startsWith('.')) return to
      return relative(root, resolve(root, dirname(file), to.replace(/\?.*$/, '')))
    }),
  )
}
const own = (file: string) => (imports.get(file) ?? []).filter((to) => imports.has(to) || /^[^@].*\.css$/.test(to))

test('every file is in a layer, and imports only layers below its own', () => {
  const wrong = [...imports.keys()].flatMap((file) => {
    const [, below] = layers.find(([name]) => name === layerOf(file)) ?? []
    if (!below) return [`${file} is in no layer`]
    return own(file)
      .filter((to) => layerOf(to) !== layerOf(file) && !below.includes(layerOf(to)))
      .map((to) => `${file} imports ${to}`)
  })
  assert.ok(imports.size > 200, `only ${imports.size} files were read`)
  assert.deepEqual(wrong, [])
})

test('pages of one noun import nothing from the pages of another', () => {
  const wrong = [...imports.keys()]
    .filter((file) => layerOf(file) === 'pages')
    .flatMap((file) =>
      own(file)
        .filter((to) => layerOf(to) === 'pages' && nounOf(to) !== nounOf(file))
        .map((to) => `${file} imports ${to}`),
    )
  assert.deepEqual(wrong, [])
})

test('ui imports neither the API client nor its cache', () => {
  const wrong = [...imports].flatMap(([file, all]) =>
    layerOf(file) === 'ui'
      ? all.filter((to) => /^@frontdesk|^@tanstack/.test(to)).map((to) => `${file} imports ${to}`)
      : [],
  )
  assert.deepEqual(wrong, [])
})

test('no file imports itself, directly or through others', () => {
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    assert.ok(!path.includes(file), `import cycle: ${[...path.slice(path.indexOf(file)), file].join(' → ')}`)
    if (done.has(file)) return
    for (const to of own(file)) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of imports.keys()) visit(file, [])
})
