type SmallTalk = 'greeting' | 'thanks' | 'parting'

/** Whole phrases, without accents. */
const phrases: Record<SmallTalk, string> = {
  greeting:
    'hi|hiya|hello|hey|howdy|greetings|good (?:morning|afternoon|evening|day)|how are you(?: doing)?(?: today)?|nice to meet you|hola|buenas|buenos dias|buenas (?:tardes|noches)|como esta[sn]?|que tal|ola|oi|bom dia|boa (?:tarde|noite)|tudo bem|hallo|guten (?:morgen|tag|abend)|moin|servus|gruss gott|wie geht(?: es|s)?(?: ihnen| dir)?|bonjour|bonsoir|salut|coucou|comment (?:ca va|allez vous)|ca va|ciao|salve|buongiorno|buonasera|come sta[i]?|halo|hai|selamat (?:pagi|siang|sore|malam)|apa kabar|namaste|assalamu ?alaikum|नमस्ते|नमस्कार|प्रणाम|(?:आप )?कैसे हैं(?: आप)?|مرحبا|اهلا(?: وسهلا)?|السلام عليكم|صباح الخير|مساء الخير|كيف حالك(?:م)?|привет|здравствуите|доброе утро|добрыи (?:день|вечер)|как дела|merhaba|selam|gunaydın|iyi (?:gunler|aksamlar)|nasılsın(?:ız)?',
  thanks:
    'thanks|thank you|thx|ty|cheers|much appreciated|gracias|obrigad[oa]|danke(?: schon| sehr)?|vielen dank|besten dank|merci|grazie|terima kasih|makasih|dhanyavaad|धन्यवाद|शुक्रिया|شكرا(?: جزيلا| لك| لكم)?|спасибо(?: большое)?|благодарю|tesekkur(?:ler| ederim)|sag ?ol(?:un)?',
  parting:
    'bye|bye bye|goodbye|good night|see you(?: (?:soon|later|tomorrow))?|have a (?:nice|good|great) (?:day|evening|weekend)|adios|hasta (?:luego|manana|pronto)|tchau|ate (?:logo|mais)|tschuss|auf wiedersehen|bis (?:bald|dann|morgen)|au revoir|a bientot|bonne (?:journee|soiree)|arrivederci|a presto|sampai jumpa|dadah|अलविदा|फिर मिलेंगे|مع السلامة|الى اللقاء|до свидания|пока|всего доброго|hosca kal(?:ın)?|gorusuruz',
}

/** Scripts without spaces: a phrase may stand next to another word. */
const unspaced: Record<SmallTalk, string> = {
  greeting:
    '你好吗|你好|您好|早上好|下午好|晚上好|早安|おはようございます|おはよう|こんにちは|こんばんは|はじめまして|もしもし|お元気ですか|안녕하세요|안녕하십니까|안녕',
  thanks:
    '非常感谢|多谢|谢谢(?:您|你)?|感谢|ありがとうございま(?:す|した)|ありがとう|どうも|감사합니다|고맙습니다|고마워(?:요)?',
  parting: '再见|拜拜|晚安|さようなら|またね|おやすみなさい|안녕히 (?:계세요|가세요)|잘 있어요',
}

/** What people put around them. Alone these are no small talk: "ok" may be the answer to a question. */
const fillers =
  'there|everyone|all|team|so|very|much|a lot|again|for|your|the|help|that|this|ok|okay|great|perfect|super|cool|nice|and|you|sir|madam|dear|friend|my|und|muchas|mil|muito|tante|mille|beaucoup|banyak|y|e|et|dan|बहुत|जी|大家|大家好|啊|呀'

const between = (words: string) => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${words})(?![\\p{L}\\p{M}\\p{N}])`, 'giu')
const patterns = (Object.keys(phrases) as SmallTalk[]).map(
  (kind) => [kind, between(phrases[kind]), new RegExp(unspaced[kind], 'gu')] as const,
)
const fillerPattern = between(fillers)

/** Which kind of small talk the text consists of; undefined if it says anything else. */
export function smallTalkIn(text: string): SmallTalk | undefined {
  // Longer texts are not looked through.
  if (text.length > 200) return undefined
  let rest = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0640]/g, '')
    .normalize('NFC')
    .replace(/ß/g, 'ss')
    .replace(/[-'’]/g, ' ')
  let kind: SmallTalk | undefined
  for (const [each, spaced, together] of patterns) {
    const without = rest.replace(spaced, ' ').replace(together, ' ')
    if (without !== rest) kind ??= each
    rest = without
  }
  if (kind === undefined) return undefined
  return /[\p{L}\p{N}]/u.test(rest.replace(fillerPattern, ' ')) ? undefined : kind
}
