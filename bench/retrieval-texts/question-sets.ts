import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRandom } from '../../server/testing/seeded-numbers.ts'
import { branchPassages, houses } from './branch-texts.ts'
import { decisionSet, interfaceSet, termSet } from './found-sets.ts'
import { houseTexts } from './house-texts.ts'
import { languageSets } from './languages/language-sets.ts'
import { serviceTexts } from './service-texts.ts'
import type { Question, QuestionSet } from './written-document.ts'

export const questionSets = (): QuestionSet[] => [
  writtenSet(),
  passageSet(),
  packageSet(),
  decisionSet(),
  termSet(),
  interfaceSet(),
  ...languageSets(),
]

/**
 * Documents written for this purpose, with most questions in other words than the answer. The service's own
 * documentation serves as distraction.
 */
function writtenSet(): QuestionSet {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  const add = (fileName: string, head: string, passages: [text: string, query: string | undefined][]) => {
    let text = head
    for (const [passage, query] of passages) {
      text += '\n\n'
      if (query) questions.push({ query, fileName, start: text.length, end: text.length + passage.length })
      text += passage
    }
    documents.set(fileName, text)
  }
  for (const { fileName, passages } of [...houseTexts, ...serviceTexts]) add(fileName, '', passages)
  const random = createRandom(3)
  for (const [i, house] of houses.entries()) {
    const figure = (n: string) => String((Number(n) + 1) * 3 + Math.floor(random() * 9))
    // Every other question is asked about each house.
    const passages = branchPassages.map(([text, question], j): [string, string | undefined] => [
      text.replace(/\{(\d)\}/g, (_, n) => figure(n)),
      (i + j) % 2 === 0 ? question.replace('{house}', house) : undefined,
    ])
    add(`${house.toLowerCase().replace(' ', '-')}.txt`, `House rules of the ${house}`, passages)
  }
  const root = join(import.meta.dirname, '../..')
  for (const path of globSync(['*.md', 'docs/**/*.md', 'bench/*.md'], { cwd: root }).sort())
    documents.set(`${path.replaceAll('/', '-')}.txt`, readFileSync(join(root, path), 'utf8'))
  return { name: 'long documents', documents, questions }
}

/** The same questions with every passage as a document of its own, under a name without meaning. */
function passageSet(): QuestionSet {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  for (const { passages } of [...houseTexts, ...serviceTexts])
    for (const [text, query] of passages) {
      const fileName = `passage-${documents.size + 1}.txt`
      documents.set(fileName, text)
      questions.push({ query, fileName })
    }
  return { name: 'short passages', documents, questions }
}

/**
 * The one-sentence description of a package is the question, the manuals of all installed packages are the documents;
 * the sentence itself is removed from them.
 */
function packageSet(): QuestionSet {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  const folder = join(import.meta.dirname, '../../node_modules')
  for (const path of globSync(['*/package.json', '@*/*/package.json'], { cwd: folder }).sort()) {
    const home = join(folder, path, '..')
    const { description: query = '' } = JSON.parse(readFileSync(join(folder, path), 'utf8'))
    const manual = readdirSync(home).find((name) => /^readme(?:\.md)?$/i.test(name))
    const isKnown = questions.some((question) => question.query === query)
    if (!manual || query.length < 26 || isKnown) continue
    const text = readFileSync(join(home, manual), 'utf8').replaceAll(query, '').replaceAll(query.replace(/\.$/, ''), '')
    if (text.length < 600) continue
    const fileName = `manual-${documents.size + 1}.txt`
    documents.set(fileName, text.slice(0, 4000))
    questions.push({ query, fileName })
  }
  return { name: 'manuals of packages', documents, questions }
}
