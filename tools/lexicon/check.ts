import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { partsOf, readWords } from './read-words.ts'
import { retiredWords } from './words.ts'

/** Part of `npm run check`: fails on retired words in identifiers and comments. */
const root = join(import.meta.dirname, '../..')
const patterns = retiredWords.map(({ word, where, instead }) => ({
  inComments: where.includes('comments'),
  inIdentifiers: where.includes('identifiers'),
  pattern: new RegExp(`\\b${word.replaceAll(' ', '\\s+')}\\b`, 'i'),
  word,
  instead,
}))

const tracked = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.js', '*.sql'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  // Migrations that have run somewhere are history; generated code and the list itself are not written by hand.
  .filter((file) => !/^server\/migrations\/00(?:[0-3]|40)|^sdk\/src\/generated\/|^tools\/lexicon\//.test(file))
  .filter((file) => existsSync(join(root, file)))

const faults: string[] = []
for (const file of tracked) {
  const source = readFileSync(join(root, file), 'utf8')
  for (const { kind, text, line } of readWords(source, file.endsWith('.sql') ? 'sql' : 'ts')) {
    const prose = kind === 'comment' ? text : partsOf(text)
    for (const { pattern, inComments, inIdentifiers, word, instead } of patterns) {
      if (!(kind === 'comment' ? inComments : inIdentifiers)) continue
      const match = pattern.exec(prose)
      if (!match) continue
      const offset = kind === 'comment' ? prose.slice(0, match.index).split('\n').length - 1 : 0
      faults.push(
        `${file}:${line + offset}: "${word}" in ${kind === 'comment' ? 'a comment' : text}. Instead: ${instead}`,
      )
    }
  }
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`\n${faults.length} retired words. CONTRIBUTING.md says how we write.`)
  process.exit(1)
}
