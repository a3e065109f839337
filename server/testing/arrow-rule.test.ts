import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

/** Biome holds each file to the arrow rule; that no two features need each other only shows in all of them together. */
const features = join(import.meta.dirname, '../features')

function featuresUsedBy(): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>()
  for (const file of globSync('**/*.ts', { cwd: features })) {
    if (file.endsWith('.test.ts')) continue
    const from = file.split('/')[0] as string
    const text = readFileSync(join(features, file), 'utf8')
    for (const [, specifier] of text.matchAll(/(?:from|import) '(\.[^']+)'/g)) {
      const to = relative(features, resolve(features, dirname(file), specifier as string)).split('/')[0] as string
      if (to !== '..' && to !== from) uses.set(from, (uses.get(from) ?? new Set()).add(to))
    }
  }
  return uses
}

test('no feature needs one that needs it, directly or through others', () => {
  const uses = featuresUsedBy()
  const visit = (feature: string, way: string[]): void => {
    assert.ok(!way.includes(feature), `${[...way, feature].join(' → ')} goes round`)
    for (const next of uses.get(feature) ?? []) visit(next, [...way, feature])
  }
  assert.ok(uses.size > 0)
  for (const feature of uses.keys()) visit(feature, [])
})
