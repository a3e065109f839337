/** The most common words of each language that PostgreSQL can stem and that uses Latin letters. */
const commonWords = {
  basque: 'eta da ez du bat dira izan dute zen baina ere egin hau dela bere baino dago horren izango gara',
  catalan: 'de la que i el en per amb els les una no és un del són aquest com més va però seva han entre també',
  danish: 'og i at det er en til af på for med den ikke som de har et kan fra blev hvor efter også eller være sig',
  dutch: 'de het een van en in is dat op te zijn met voor niet aan er ook als bij maar door over naar wordt om deze',
  english: 'the of and to in is that for it was as with be by on are this which or at from have not they an you',
  finnish: 'ja on ei se että oli hän mutta ovat kun myös joka sekä tai niin ole mukaan kuin sen olla voi vain',
  french: 'de la le les et des en un une du est que dans qui pour pas au par sur ne sont avec plus ce il aux cette',
  german: 'der die und das in den von zu mit ist des nicht ein eine für dem auf im sich auch es an werden als aus wird',
  hungarian: 'a az és hogy nem is egy volt ez de meg csak már van mint el ha vagy ki azt még amely lehet minden',
  indonesian:
    'yang dan di untuk dengan pada ini dari dalam tidak adalah itu oleh akan ke sebagai atau dapat juga telah',
  irish: 'an na agus ar is go le sa do tá bhí ag ní sé a air féin nach leis bheith mar gur siad ach',
  italian: 'di e il la che in un per è una non con del da sono si le dei nel alla più della gli anche come lo',
  lithuanian: 'ir yra kad į su iš buvo tai kaip bet ar jo už apie tik po nuo jau taip dėl pagal kuris savo',
  norwegian: 'og i det er som på til en å av for at med ikke den har de et om var fra seg ble kan eller etter være',
  portuguese: 'de a o que e do da em um para com não uma os no se na por mais as dos como mas foi ao ele são das',
  romanian: 'și de în la a cu care nu o pe din că este un mai pentru sau sunt fi prin ca au fost dar după această',
  spanish: 'de la que el en y los se del las un por con no una su para es al lo como más pero sus le ha este está',
  swedish: 'och i att det som en på är av för med till den har inte de ett om var från kan men sig eller vid också',
  turkish: 've bir bu da için ile de olarak çok daha olan gibi kadar sonra en her ne ama değil var olduğu ise veya',
} as const

/**
 * Letters that hardly any other of these languages has. They decide where words do not; names contain them in every
 * language.
 */
const ownLetters: [letters: RegExp, language: keyof typeof commonWords][] = [
  [/[ığ]|[ş](?=[aeıioöuü])/g, 'turkish'],
  [/ß/g, 'german'],
  [/[ță]/g, 'romanian'],
  [/[őű]/g, 'hungarian'],
  [/[ñ¿¡]/g, 'spanish'],
  [/[ãõ]/g, 'portuguese'],
  [/[ėųį]/g, 'lithuanian'],
]

const scripts: [pattern: RegExp, language: (text: string) => string][] = [
  // Letters that Serbian has and Russian does not, and the reverse.
  [/\p{Script=Cyrillic}/u, (text) => (share(text, /[ђјљњћџ]/giu) > share(text, /[ыэъё]/giu) ? 'serbian' : 'russian')],
  [/\p{Script=Greek}/u, () => 'greek'],
  [/\p{Script=Arabic}/u, () => 'arabic'],
  [/\p{Script=Armenian}/u, () => 'armenian'],
  // "is" and "and" in Nepali, against "is" and "of" in Hindi.
  [
    /\p{Script=Devanagari}/u,
    (text) => (share(text, /(?:छ|रहेको|तथा)/gu) > share(text, /(?:है|का|में)/gu) ? 'nepali' : 'hindi'),
  ],
  [/\p{Script=Tamil}/u, () => 'tamil'],
]

const share = (text: string, pattern: RegExp): number => (text.match(pattern)?.length ?? 0) / Math.max(1, text.length)

const languagesOf = new Map<string, string[]>()
for (const [language, words] of Object.entries(commonWords))
  for (const word of words.split(' ')) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language])

/** Addresses are in no language, and Latin letters of a short Russian text are most often one. */
export const addresses = /https?:\/\/\S+|www\.\S+|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/giu

/** Enough to decide, and the same work for a book as for a page. */
const sampleLength = 30_000

/** A text search configuration of PostgreSQL 15; `simple`, which does not stem, where none fits. */
export async function detectLanguage(text: string): Promise<string> {
  const sample = sampleOf(text).replace(addresses, ' ')
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (latin < letters / 2) {
    const script = scripts.find(([pattern]) => share(sample, new RegExp(pattern, 'gu')) * sample.length > letters / 2)
    return script ? script[1](sample) : 'simple'
  }
  return detectLatin(sample)
}

/** Of the words of a text in Latin letters, those that are common in any language. Shorter ones are found by chance. */
export function commonWordShare(text: string): number {
  const words = text.toLowerCase().match(/\p{L}{3,}/gu) ?? []
  return words.filter((word) => languagesOf.has(word)).length / Math.max(1, words.length)
}

function sampleOf(text: string): string {
  if (text.length <= sampleLength) return text
  // A book begins with names and numbers: its middle is more typical.
  const middle = Math.floor(text.length / 2)
  return `${text.slice(0, sampleLength / 3)} ${text.slice(middle, middle + (sampleLength * 2) / 3)}`
}

/** Fewer words have too few common ones: parts of words tell more. */
const shortText = 40

/** Indonesian and Malay are one language to the detector. */
const configurations: Record<string, string> = {
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  hu: 'hungarian',
  it: 'italian',
  lt: 'lithuanian',
  ms: 'indonesian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  sv: 'swedish',
  tr: 'turkish',
}

async function detectShort(text: string): Promise<string | undefined> {
  // A megabyte of statistics, which most documents do not need.
  const { eld } = await import('eld/small')
  const { language } = eld.detect(text)
  return configurations[language] ?? (language !== '' && hasOtherLetters(text) ? 'simple' : undefined)
}

async function detectLatin(sample: string): Promise<string> {
  const text = sample.toLowerCase()
  const words = text.match(/\p{L}+/gu) ?? []
  const hits = new Map<string, number>()
  for (const word of words)
    for (const language of languagesOf.get(word) ?? []) hits.set(language, (hits.get(language) ?? 0) + 1)
  const [best, runnerUp] = [...hits].sort(([, a], [, b]) => b - a)
  const isPlain = best && best[1] > 3 && best[1] > words.length * 0.25 && best[1] > (runnerUp?.[1] ?? 0) * 1.5
  const short = words.length <= shortText && !isPlain ? await detectShort(sample) : undefined
  if (short) return short
  const hasCommonWords = best !== undefined && best[1] > words.length * 0.1
  if (hasCommonWords && best[1] > (runnerUp?.[1] ?? 0) * 1.1) return best[0]
  // Related languages share their common words: the parts of all words decide between them.
  const related = hasCommonWords && words.length > shortText ? await detectShort(sample.slice(0, 3000)) : undefined
  if (related && hits.has(related)) return related
  const byLetters = ownLetters.filter(([letters]) => (text.match(letters)?.length ?? 0) > words.length * 0.05)
  if (byLetters.length === 1) return (byLetters[0] as (typeof ownLetters)[number])[1]
  // Lists and tables have no common words. Where the letters are those of English, its stemmer helps more than none.
  return hasOtherLetters(sample) ? 'simple' : 'english'
}

const hasOtherLetters = (text: string): boolean => share(text, /[^\P{L}a-z]/giu) > 0.02
