import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Question, QuestionSet } from './written-document.ts'

/** Sets made from texts that are here anyway: their authors wrote the question and the answer. */

const root = join(import.meta.dirname, '../..')

/** The title of a decision is a claim; the document is the decision without it. */
export function decisionSet(): QuestionSet {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  for (const path of globSync('docs/adr/*.md', { cwd: root }).sort()) {
    const [, title = '', text = ''] = /^# \d+\. (.+)\n([\s\S]*)/.exec(readFileSync(join(root, path), 'utf8')) ?? []
    const fileName = `decision-${documents.size + 1}.txt`
    documents.set(fileName, text)
    questions.push({ query: title, fileName })
  }
  return { name: 'claims about decisions', documents, questions }
}

/** A few words, as people type them into a search box: the head of a section and the words that a paragraph begins with. */
export function termSet(): QuestionSet {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  for (const path of globSync('docs/guides/*.md', { cwd: root }).sort()) {
    const fileName = `guide-${documents.size + 1}.txt`
    let text = ''
    let section = ''
    for (const paragraph of readFileSync(join(root, path), 'utf8').split(/\n(?=- |\n|#)/)) {
      section = /^\s*## (.+)/.exec(paragraph)?.[1] ?? section
      const [, term, rest] = /^\s*- \*\*([^*]{4,40})\*\*:?\s*([\s\S]{80,})/.exec(paragraph) ?? []
      if (term && rest) {
        questions.push({
          query: `${section} ${term.replace(/\.$/, '')}`,
          fileName,
          start: text.length,
          end: text.length + rest.length,
        })
        text += `${rest}\n\n`
      } else if (!/^\s*#/.test(paragraph)) text += `${paragraph.trim()}\n\n`
    }
    documents.set(fileName, text)
  }
  return { name: 'search terms', documents, questions: questions.filter((_, i) => i % 2 === 0) }
}

/** The first sentence about a function is the question, what its documentation says further is the answer. */
export function interfaceSet(): QuestionSet {
  const documents = new Map<string, string>()
  const questions: Question[] = []
  const folder = join(root, 'node_modules/@types/node')
  for (const path of globSync('*.d.ts', { cwd: folder }).sort()) {
    const fileName = `interface-${documents.size + 1}.txt`
    let text = ''
    for (const [, comment = ''] of readFileSync(join(folder, path), 'utf8').matchAll(/\/\*\*([\s\S]*?)\*\//g)) {
      const prose = comment
        .replace(/^\s*\* ?/gm, '')
        .replace(/```[\s\S]*?```/g, '')
        .replace(/^@[\s\S]*/m, '')
        .trim()
      const [, sentence, rest = ''] = /^([^.]{40,240})\.\s([\s\S]{200,})/.exec(prose) ?? []
      if (!sentence || text.includes(rest)) continue
      questions.push({
        query: sentence.replace(/[`\n]/g, ' '),
        fileName,
        start: text.length,
        end: text.length + rest.length,
      })
      text += `${rest}\n\n`
    }
    if (text) documents.set(fileName, text)
  }
  return { name: 'documentation of functions', documents, questions: questions.filter((_, i) => i % 3 === 0) }
}
