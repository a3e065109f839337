import { primaryLanguage } from '../../../platform/primary-language.ts'

interface BriefingWords {
  /** `{who}` is the caller's name or number. */
  from: string
  accept: string
}

const words: Record<string, BriefingWords> = {
  ar: { from: 'مكالمة من {who}.', accept: 'اضغط على أي زر لاستلام المكالمة.' },
  de: { from: 'Anruf von {who}.', accept: 'Drücken Sie eine beliebige Taste, um das Gespräch anzunehmen.' },
  en: { from: 'Call from {who}.', accept: 'Press any key to take the call.' },
  es: { from: 'Llamada de {who}.', accept: 'Pulse cualquier tecla para aceptar la llamada.' },
  fr: { from: 'Appel de {who}.', accept: 'Appuyez sur une touche pour prendre l’appel.' },
  hi: { from: '{who} की कॉल है।', accept: 'कॉल लेने के लिए कोई भी बटन दबाएँ।' },
  id: { from: 'Panggilan dari {who}.', accept: 'Tekan tombol apa saja untuk menerima panggilan.' },
  it: { from: 'Chiamata da {who}.', accept: 'Prema un tasto qualsiasi per accettare la chiamata.' },
  nl: { from: 'Oproep van {who}.', accept: 'Druk op een toets om de oproep aan te nemen.' },
  pt: { from: 'Chamada de {who}.', accept: 'Pressione qualquer tecla para atender a chamada.' },
}

/** A briefing is spoken: more would keep the caller waiting. */
const longestReason = 500

/** What the person who answers hears before the caller is connected. Languages without words of their own get English. */
export function briefingFor(language: string, { who, reason }: { who: string; reason: string }): string {
  const { from, accept } = words[primaryLanguage(language)] ?? (words.en as BriefingWords)
  return [from.replace('{who}', () => who), reason.slice(0, longestReason).toWellFormed().trim(), accept]
    .filter(Boolean)
    .join(' ')
}
