import { primaryLanguage } from '../../../platform/primary-language.ts'
import { type Reply, richReply } from '../sending/reply.ts'
import { buttonIdOf, type Rating } from './rating.ts'

interface Lines {
  question: string
  /** At most 20 characters each, which is the longest that a button can be. */
  answers: Record<Rating, string>
}

const english: Lines = {
  question: 'How satisfied are you with this conversation?',
  answers: { good: '😀 Good', okay: '😐 Okay', bad: '🙁 Bad' },
}

const lines: Record<string, Lines> = {
  en: english,
  es: {
    question: '¿Cómo de satisfecho está con esta conversación?',
    answers: { good: '😀 Bien', okay: '😐 Regular', bad: '🙁 Mal' },
  },
  pt: {
    question: 'Qual é a sua satisfação com esta conversa?',
    answers: { good: '😀 Boa', okay: '😐 Razoável', bad: '🙁 Ruim' },
  },
  de: {
    question: 'Wie zufrieden sind Sie mit diesem Gespräch?',
    answers: { good: '😀 Gut', okay: '😐 Mittel', bad: '🙁 Schlecht' },
  },
  fr: {
    question: 'Êtes-vous satisfait de cette conversation ?',
    answers: { good: '😀 Bien', okay: '😐 Moyen', bad: '🙁 Mauvais' },
  },
  it: {
    question: 'Quanto è soddisfatto di questa conversazione?',
    answers: { good: '😀 Bene', okay: '😐 Così così', bad: '🙁 Male' },
  },
}

/** A question with three buttons, in this language or in English. */
export function ratingRequest(language: string): Reply {
  const { question, answers } = lines[primaryLanguage(language)] ?? english
  const buttons = (['good', 'okay', 'bad'] as const).map((rating) => ({
    id: buttonIdOf(rating),
    title: answers[rating],
  }))
  return richReply({ type: 'interactive', interactive: { type: 'button', body: question, buttons } })
}
