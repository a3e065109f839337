import type { Question, QuestionSet } from '../written-document.ts'
import { arabic } from './arabic.ts'
import { chinese } from './chinese.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { hindi } from './hindi.ts'
import { indonesian } from './indonesian.ts'
import { japanese } from './japanese.ts'
import { portuguese } from './portuguese.ts'
import { spanish } from './spanish.ts'

const languages = { german, spanish, portuguese, french, indonesian, hindi, arabic, chinese, japanese }

/** Questions in the language of the documents, in other words than the answer. Every passage is a document. */
export const languageSets = (): QuestionSet[] =>
  Object.entries(languages).map(([language, lines]) => {
    const documents = new Map<string, string>()
    const questions: Question[] = []
    for (const line of lines.trim().split('\n')) {
      const [text = '', query] = line.split(' | ')
      const fileName = `${documents.size + 1}.txt`
      documents.set(fileName, text)
      if (query) questions.push({ query, fileName })
    }
    return { name: `questions in ${language}`, documents, questions }
  })
