import { foldArabic } from './fold-arabic.ts'
import { once } from './once.ts'
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
  fa: 'آیا چه چی چیست چگونه چطور کی کجا کجاست چرا چند چقدر کدام از در به با را و که این آن است هست هستند بود برای تا یا هم اگر من ما شما او می شود کنم کنید کند باید نیست دارد دارم دارید لطفا',
  ru: 'и в во не на я с со что как а то все он она но да ты к у же вы за бы по от о из ему ли если или ни мне меня моя мои мы нас нам вас вам ваш ваша ваши это этот эта для до при есть был была были быть будет можно могу может ли где когда кто какои какая какие каков сколько почему зачем пожалуйста нет',
  ko: '이 그 저 것 수 등 및 는 은 을 를 에 의 가 도 로 와 과 무엇 뭐 언제 어디 누구 왜 어떻게 얼마 몇 있나요 있습니까 입니까 인가요 되나요 나요 어디입니까 무엇입니까 언제입니까 얼마입니까 얼마인가요 언제인가요',
  tr: 've veya ama bir bu ben sen biz siz bana sana bize size benim sizin icin ile mu mı var yok nedir neden nasıl nerede kim hangi kac kadar zaman gibi cok daha her olarak olan ise misiniz miyim mısınız midir lutfen',
  zh: '的 了 是 在 我 你 您 他 她 我们 你们 您们 吗 呢 吧 啊 什么 几 几点 多少 多少钱 钱 多久 怎么 怎样 哪里 哪儿 哪 谁 为什么 请 请问 可以 能 会 有 和 或 与 也 都 就 不 到 要 想 一个 这 那 个',
  ja: 'の は が を に へ で と も や か ね よ です ます でし まし て た だ な から まで です か いつ どこ だれ 誰 何 なに いくら どう どの どれ なぜ ください お願い し する し て い いる ある あり 私 この その あの これ それ あれ くらい ぐらい',
}

const languagesOfWord = once(() => {
  const languages = new Map<string, string[]>()
  for (const [language, words] of Object.entries(idleWords))
    for (const word of foldArabic(words).split(' ')) languages.set(word, [...(languages.get(word) ?? []), language])
  return languages
})

/** Splits words by the rules of Unicode, and by dictionary in scripts without spaces. */
const segmenter = once(() => new Intl.Segmenter(undefined, { granularity: 'word' }))

/** Lower case, without accents and punctuation. Vowel signs of Indic scripts stay: without them words become others. */
export const wordsOf = (text: string): string[] =>
  Array.from(segmenter().segment(plain(text)))
    .filter(({ isWordLike }) => isWordLike)
    .flatMap(({ segment }) => segment.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])

const plain = (text: string): string =>
  foldArabic(
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036f\u064b-\u065f\u0670]/g, '')
      .normalize('NFC'),
  )
    .toLowerCase()
    .replace(/(?<=\p{L})['’](?=(?:s|t|re|ve|ll|d|m)\b)/gu, '')

/** The words that a text is about, without their endings. */
export const contentWords = (text: string): Set<string> =>
  new Set(
    wordsOf(text)
      .filter((word) => !languagesOfWord().has(word))
      .map(stem),
  )

/** Rough, but the same for a question and its answer. */
function stem(word: string): string {
  if (/^\p{Script=Arabic}/u.test(word)) return word.length > 4 ? word.replace(/^(?:[وبكف]?ال|لل)/u, '') : word
  if (/^\p{Script=Devanagari}/u.test(word))
    return word.length > 3 ? word.replace(/[\u093e-\u094c\u0901-\u0903]+$/u, '') : word
  if (/^\p{Script=Cyrillic}/u.test(word)) return word.length > 4 ? word.replace(cyrillicEnding, '') : word
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|en|er|em|e|os|as|o|a|i)$/, '') : word
}

/** Of nouns, adjectives and verbs, the longest first. `plain` has made и of й. */
const cyrillicEnding =
  /(?:ами|ями|ого|его|ому|ему|ыми|ими|ает|яет|ают|яют|ует|уют|ится|ются|ать|ять|ить|ах|ях|ов|ев|еи|ои|ыи|ии|ая|яя|ое|ее|ые|ие|ую|юю|ом|ем|ам|ям|ит|ет|ут|ют|ат|ят|а|я|о|е|ы|и|у|ю|ь)$/u

const scripts: [language: string, script: RegExp][] = [
  ['es', /[¿¡]/],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['ko', /\p{Script=Hangul}/u],
  // Not Ukrainian, Belarusian or Serbian.
  ['ru', /^(?!.*[іїєґўђјљњћџ]).*\p{Script=Cyrillic}/isu],
]

/**
 * The language of something as short as a question, as a code of two letters: by its script or signs, or by the idle words in it.
 * The fallback where two languages are equally likely.
 */
export function languageOf(text: string, fallback: string): string {
  const byScript = scripts.find(([, script]) => script.test(text))
  if (byScript) return byScript[0]
  const votes = new Map<string, number>()
  for (const word of wordsOf(text))
    for (const language of languagesOfWord().get(word) ?? []) votes.set(language, (votes.get(language) ?? 0) + 1)
  const most = Math.max(0, ...votes.values())
  const likely = [...votes].filter(([, count]) => count === most).map(([language]) => language)
  return likely.length === 1 ? (likely[0] as string) : primaryLanguage(fallback)
}
