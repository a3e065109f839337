/** Of a text with several, the first one counts. */
const kinds = ['greeting', 'thanks', 'parting'] as const
type SmallTalk = (typeof kinds)[number]

/**
 * Whole phrases, without accents, by language. Those of English are known everywhere and do not tell the language, and
 * neither do words of other scripts in Latin letters.
 */
const phrases: Record<SmallTalk, Record<string, string>> = {
  greeting: {
    en: 'hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|how are you(?: doing)?(?: today)?|nice to meet you|namaste|assalamu ?alaikum',
    es: 'hola|buenos dias|buenas(?: (?:tardes|noches))?|como esta[sn]?|que tal',
    pt: 'ola|oi|bom dia|boa (?:tarde|noite)|tudo bem',
    de: 'hallo|guten (?:morgen|tag|abend)|moin|servus|gruss gott|wie geht(?: es|s)?(?: ihnen| dir)?',
    fr: 'bonjour|bonsoir|salut|coucou|comment (?:ca va|allez vous)|ca va',
    it: 'ciao|salve|buongiorno|buonasera|come sta[i]?',
    id: 'halo|hai|selamat (?:pagi|siang|sore|malam)|apa kabar',
    hi: 'नमस्ते|नमस्कार|प्रणाम|(?:आप )?कैसे हैं(?: आप)?',
    ar: 'مرحبا|اهلا(?: وسهلا)?|السلام عليكم|صباح الخير|مساء الخير|كيف حالك(?:م)?',
    ru: 'привет|здравствуите|доброе утро|добрыи (?:день|вечер)|как дела',
    nl: 'hoi|goede(?:morgen|middag|navond|ndag)|hoe gaat het',
    fa: 'سلام|درود|حال شما چطور است',
    uk: 'привіт|вітаю|добрии (?:день|вечір|ранок)|доброго (?:дня|ранку|вечора)',
    tr: 'merhaba|selam|gunaydın|iyi (?:gunler|aksamlar)|nasılsın(?:ız)?',
  },
  thanks: {
    en: 'thanks|thank you|thx|ty|cheers|much appreciated|dhanyavaad',
    es: 'gracias',
    pt: 'obrigad[oa]',
    de: 'danke(?: schon| sehr)?|vielen dank|besten dank',
    fr: 'merci',
    it: 'grazie',
    id: 'terima kasih|makasih',
    hi: 'धन्यवाद|शुक्रिया',
    ar: 'شكرا(?: جزيلا| لك| لكم)?',
    ru: 'спасибо(?: большое)?|благодарю',
    nl: 'bedankt|dank (?:u|je)(?: wel)?|dankjewel',
    fa: 'ممنون|متشکرم|سپاس',
    uk: 'дякую',
    tr: 'tesekkur(?:ler| ederim)|sag ?ol(?:un)?',
  },
  parting: {
    en: 'bye|bye bye|goodbye|good night|see you(?: (?:soon|later|tomorrow))?|have a (?:nice|good|great) (?:day|evening|weekend)',
    es: 'adios|hasta (?:luego|manana|pronto)',
    pt: 'tchau|ate (?:logo|mais)',
    de: 'tschuss|auf wiedersehen|bis (?:bald|dann|morgen)',
    fr: 'au revoir|a bientot|bonne (?:journee|soiree)',
    it: 'arrivederci|a presto',
    id: 'sampai jumpa|dadah',
    hi: 'अलविदा|फिर मिलेंगे',
    ar: 'مع السلامة|الى اللقاء',
    ru: 'до свидания|пока|всего доброго',
    nl: 'tot ziens|doei|fijne dag',
    fa: 'خداحافظ',
    uk: 'до побачення|бувайте',
    tr: 'hosca kal(?:ın)?|gorusuruz',
  },
}

/** Scripts without spaces: a phrase may stand next to another word. */
const unspaced: Record<SmallTalk, Record<string, string>> = {
  greeting: {
    zh: '你好吗|你好|您好|早上好|下午好|晚上好|早安',
    ja: 'おはようございます|おはよう|こんにちは|こんばんは|はじめまして|もしもし|お元気ですか',
    ko: '안녕하세요|안녕하십니까|안녕',
  },
  thanks: {
    zh: '非常感谢|多谢|谢谢(?:您|你)?|感谢',
    ja: 'ありがとうございま(?:す|した)|ありがとう|どうも',
    ko: '감사합니다|고맙습니다|고마워(?:요)?',
  },
  parting: {
    zh: '再见|拜拜|晚安',
    ja: 'さようなら|またね|おやすみなさい',
    ko: '안녕히 (?:계세요|가세요)|잘 있어요',
  },
}

/** What people put around them. Alone these are no small talk: "ok" may be the answer to a question. */
const fillers =
  'there|everyone|all|team|so|very|much|a lot|again|for|your|the|help|that|this|ok|okay|great|perfect|super|cool|nice|and|you|sir|madam|dear|friend|my|und|muchas|mil|muito|tante|mille|beaucoup|banyak|y|e|et|dan|बहुत|जी|大家|大家好|啊|呀'

const between = (words: string) => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${words})(?![\\p{L}\\p{M}\\p{N}])`, 'giu')
const patternsOf = (all: Record<SmallTalk, Record<string, string>>, pattern: (words: string) => RegExp) =>
  Object.entries(all).flatMap(([kind, byLanguage]) =>
    Object.entries(byLanguage).map(([language, words]) => ({
      kind: kind as SmallTalk,
      language: language === 'en' ? undefined : language,
      pattern: pattern(words),
    })),
  )
const patterns = [...patternsOf(unspaced, (words) => new RegExp(words, 'gu')), ...patternsOf(phrases, between)]
const fillerPattern = between(fillers)

/** Which small talk the text consists of, and the language that it tells; undefined if it says anything else. */
export function smallTalkIn(text: string): { kind: SmallTalk; language: string | undefined } | undefined {
  // Longer texts are not looked through.
  if (text.length > 200) return undefined
  let rest = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0640]/g, '')
    .normalize('NFC')
    .replace(/ß/g, 'ss')
    .replace(/[-'’]/g, ' ')
  const found: SmallTalk[] = []
  let language: string | undefined
  for (const each of patterns) {
    const without = rest.replace(each.pattern, ' ')
    if (without === rest) continue
    found.push(each.kind)
    language ??= each.language
    rest = without
  }
  if (/[\p{L}\p{N}]/u.test(rest.replace(fillerPattern, ' '))) return undefined
  const kind = kinds.find((each) => found.includes(each))
  return kind && { kind, language }
}
