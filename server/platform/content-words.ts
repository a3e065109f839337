import { primaryLanguage } from './primary-language.ts'

/** Words that say nothing about the subject of a question, by language. Without accents, as `wordsOf` returns them. */
const idleWords: Record<string, string> = {
  en: 'a an and any are as at be been but by can could did do does for from had has have how i if in into is it its just me my of on or our please shall she should so some tell than that the their them then there these they this those to us was we were what when where which who whom why will with would you your about much many',
  de: 'der die das den dem des ein eine einen einem einer und oder aber ist sind war wird werden kann konnen konnte ich du er sie es wir ihr mir mich euch ihnen mein meine ihre was wann wo wer wie wieviel welche welcher welches warum fur mit von zu zum zur auf aus bei in im an am um nach bitte gibt haben hat habe auch nicht noch man viel viele',
  es: 'el la los las un una unos unas y o pero es son era esta estan ser puede puedo pueden yo usted ustedes nosotros me mi su sus que cual cuales cuando donde quien como cuanto cuanta cuantos cuantas por para con de del al a en se lo le hay tiene tienen tengo favor si no',
  pt: 'o a os as um uma uns umas e ou mas sao era esta estao ser pode posso podem eu voce voces nos me meu minha seu sua que qual quais quando onde quem como quanto quanta quantos quantas por para com de do da dos das ao em no na se ha tem tenho favor sim nao',
  fr: 'le la les l un une des et ou mais est sont etait etre peut puis peuvent je tu il elle nous vous ils me mon ma mes votre vos que qu quel quelle quels quelles quand qui comment combien pourquoi pour avec de du d au aux a en dans sur se ce cette y avez ai svp plait s il est ce',
  it: 'il lo la i gli le l un una uno e o ma sono era essere puo posso possono io lei voi noi mi mio mia suo sua vostro che quale quali quando dove chi come quanto quanta quanti quante perche per con di del della dei delle al alla a in nel nella si c ha avete ho favore non',
  id: 'yang dan atau tapi adalah ini itu saya aku anda kamu kami kita mereka apa apakah kapan dimana mana siapa bagaimana berapa mengapa kenapa untuk dengan dari ke di pada ada bisa dapat akan sudah tidak bukan tolong ya juga',
  hi: 'है हैं था थी थे हो और या में से को का की के पर यह वह ये वे मैं हम आप मुझे मेरा मेरी आपका आपकी आपके क्या कब कहाँ कहां कौन कैसे कितना कितनी कितने क्यों कृपया लिए तक भी नहीं सकता सकते सकती कर करते होता होती होते ने',
  ar: 'في من الى على عن مع هو هي هم انا نحن انت هذا هذه ذلك التي الذي ما ماذا متى اين من كيف كم لماذا هل او و ان كان يكون يمكن يمكنني لا نعم فضلك لدي لديكم عند',
  zh: '的 了 是 在 我 你 您 他 她 我们 你们 您们 吗 呢 吧 啊 什么 几 几点 多少 多久 怎么 怎样 哪里 哪儿 哪 谁 为什么 请 请问 可以 能 会 有 和 或 与 也 都 就 不 到 要 想 一个 这 那 个',
  ja: 'の は が を に へ で と も や か ね よ です ます でし まし て た だ な から まで です か いつ どこ だれ 誰 何 なに いくら どう どの どれ なぜ ください お願い し する し て い いる ある あり 私 この その あの これ それ あれ くらい ぐらい',
}

const languagesOfWord = new Map<string, string[]>()
for (const [language, words] of Object.entries(idleWords))
  for (const word of words.split(' ')) languagesOfWord.set(word, [...(languagesOfWord.get(word) ?? []), language])

/** Splits words by the rules of Unicode, and by dictionary in scripts without spaces. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Lower case, without accents and punctuation. Vowel signs of Indic scripts stay: without them words become others. */
export const wordsOf = (text: string): string[] =>
  Array.from(segmenter.segment(plain(text)))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=(?:s|t|re|ve|ll|d|m)\b)/gu, '')

/** The words that a text is about, without their endings. */
export const contentWords = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !languagesOfWord.has(word))
      .map(stem),
  )

/** Rough, but the same for a question and its answer. */
function stem(word: string): string {
  if (/^\p{Script=Arabic}/u.test(word)) return word.length > 4 ? word.replace(/^(?:[وبكف]?ال|لل)/u, '') : word
  if (/^\p{Script=Devanagari}/u.test(word))
    return word.length > 3 ? word.replace(/[\u093e-\u094c\u0901-\u0903]+$/u, '') : word
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|en|er|em|e|os|as|o|a|i)$/, '') : word
}

const scripts: [language: string, script: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ar', /\p{Script=Arabic}/u],
]

/**
 * The language of something as short as a question, as a code of two letters: by its script, or by the idle words in it.
 * The fallback where two languages are equally likely.
 */
export function languageOf(text: string, fallback: string): string {
  const byScript = scripts.find(([, script]) => script.test(text))
  if (byScript) return byScript[0]
  const votes = new Map<string, number>()
  for (const word of wordsOf(text))
    for (const language of languagesOfWord.get(word) ?? []) votes.set(language, (votes.get(language) ?? 0) + 1)
  const most = Math.max(0, ...votes.values())
  const likely = [...votes].filter(([, count]) => count === most).map(([language]) => language)
  return likely.length === 1 ? (likely[0] as string) : primaryLanguage(fallback)
}
