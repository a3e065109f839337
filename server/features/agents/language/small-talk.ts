/** Of a text with several, the first one counts. An `assent` is any short reaction that asks nothing, also a no. */
const kinds = ['greeting', 'thanks', 'parting', 'assent'] as const
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
  assent: {
    en: 'o+k+(?:a+y+|ey|ie)?|kk?|ye+s+(?: please)?|ye(?:ah|p)|yup|sure(?: thing)?|of course|certainly|definitely|absolutely|exactly|correct|right|al(?:l )?right|fine|good(?: to know)?|great|perfect|excellent|awesome|amazing|wonderful|lovely|cool|nice|super|got it|understood|noted|i (?:see|understand|know)|makes sense|sounds (?:good|great)|will do|no+(?: problem| worries| need)?|no+ thank(?:s| you)|nope|nah|not (?:now|yet|really)|nothing(?: else)?|never ?mind|(?:yes )?please(?: do)?|go ahead|done|agreed|deal|(?:that|it) ?s (?:all|it|fine|great|perfect|good|ok|okay|right|correct)|(?:that|it) is (?:all|it|fine|great|perfect|good|ok|okay|right|correct)|(?:ha){2,}h?|lo+l|hm+|oh|ah|wow|haan|theek hai|accha',
    es: 'si+(?: por favor| claro)?|por favor|claro(?: que si)?|vale|de acuerdo|por supuesto|perfecto|genial|estupendo|excelente|muy bien|bien|bueno|listo|entendido|entiendo|exacto|correcto|no+ gracias|nada(?: mas)?|eso es todo|(?:ja){2,}',
    pt: 'sim(?: por favor)?|nao(?: obrigad[oa])?|claro|certo|ta(?: bom| certo)?|esta bem|beleza|perfeito|otimo|excelente|entendi|muito bem|com certeza|so isso|nada(?: mais)?|(?:k){3,}',
    de: 'ja+(?: bitte| gerne?)?|jo+|jap?|jawohl|nein?|ne+|nein danke|bitte|gerne?|klar|alles klar|na klar|naturlich|genau|richtig|stimmt|passt(?: so)?|gut|sehr gut|prima|toll|klasse|wunderbar|hervorragend|perfekt|einverstanden|verstanden|verstehe|in ordnung|okee|geht klar|das war(?: s|es)?|das ist (?:alles|gut)|nichts|super',
    fr: 'oui(?: merci| s il vous plait| svp)?|ouais|non(?: merci)?|d accord|dac|s il (?:vous|te) plait|svp|bien sur|bien|tres bien|parfait|super|genial|excellent|entendu|compris|exactement|c est (?:bon|parfait|tout|ca)|ca marche|rien',
    it: 'si+(?: grazie| per favore| certo)?|per favore|no+ grazie|certo|certamente|va bene|bene|molto bene|benissimo|perfetto|ottimo|eccellente|capito|ho capito|d accordo|esatto|giusto|niente|nient altro|e tutto',
    id: 'iya+|ya+|yoi|tidak(?: terima kasih)?|ngga?k?|gak|boleh|baik(?:lah)?|oke+|siap|sip|setuju|tentu(?: saja)?|mengerti|paham|bagus|mantap|sempurna|cukup|itu saja|tolong|(?:wk){2,}w?',
    hi: '(?:जी )?(?:हाँ|हां|हा)(?: जी)?|(?:जी )?नहीं|ठीक(?: है)?|अच्छा|सही(?: है)?|बिल्कुल|समझ गय[ाी]|बहुत अच्छा|कृपया|ओके',
    ar: 'نعم(?: من فضلك)?|اجل|ايوه?|اي|لا(?: شكرا)?|حسنا|تمام|طيب|موافق|اوكي?|اوكيه|ممتاز|جيد(?: جدا)?|رائع|بالتاكيد|طبعا|فهمت|مفهوم|من فضلك',
    nl: 'ja+(?: graag| hoor)?|nee+(?: bedankt| dank u| dank je)?|oke|prima|goed|heel goed|perfect|top|mooi|duidelijk|begrepen|klopt|dat is alles|graag|natuurlijk',
    fa: 'بله|اره|نه|باشه|خوب|خوبه|عالی|حتما|البته|اوکی|فهمیدم|لطفا',
    ru: 'да+(?: пожалуиста)?|ага|угу|нет(?: спасибо)?|неа|ок|океи|хорошо|ладно|понятно|понял[а]?|ясно|конечно|разумеется|отлично|прекрасно|супер|класс|идеально|договорились|согласен|согласна|верно|точно|пожалуиста|это все|ничего|ха(?:ха)+',
    uk: 'так|ні|добре|гаразд|зрозуміло|чудово|звичаино|згода|згоден|згодна|це все|супер',
    tr: 'evet(?: lutfen)?|hayır(?: tesekkurler)?|yok|tamam(?:dır)?|peki|olur|elbette|tabii?(?: ki)?|lutfen|guzel|cok (?:guzel|iyi)|harika|super|mukemmel|anladım|anlasıldı|dogru|aynen|bu kadar',
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
  assent: {
    zh: '没问题|沒問題|太好了|很好|非常好|好的|好吧|好啊|好呀|好|可以|行|是的|是|对的|对|對|嗯+|当然|明白了?|知道了|了解了?|收到|不用了?|不需要|不是|不|没有|没事|完美|不错|哈哈+',
    ja: 'わかりました|分かりました|了解(?:です|しました)?|承知(?:いたしました|しました|です)?|かしこまりました|大丈夫です|お願い(?:します|いたします)|結構です|問題ありません|そうです(?:ね)?|いいですね|もちろん(?:です)?|完璧です|素晴らしい|なるほど|オッケー|オーケー|はい|ええ|うん|いいえ|いや',
    ko: '알겠습니다|알겠어요|알았어요|괜찮습니다|괜찮아요|좋습니다|좋아요|좋아|물론(?:이죠|입니다)?|완벽(?:해요|합니다)|그렇습니다|그래요|그래|맞아요|맞습니다|아니요|아니오|아뇨|오케이|부탁(?:드립니다|해요)|네|넵|예|응|ㅇㅋ|ㅋㅋ+',
  },
}

/** What people put around them. Alone these are no small talk. */
const fillers =
  'there|everyone|all|team|so|very|much|a lot|again|for|your|the|help|that|this|ok|okay|great|perfect|super|cool|nice|and|you|sir|madam|dear|friend|my|und|muchas|mil|muito|tante|mille|beaucoup|banyak|y|e|et|dan|बहुत|जी|大家|大家好|啊|呀'

/** Around an assent alone: "yes, help" and "no, that" ask for something. */
const assentFillers = 'so|very|much|a lot|and|sir|madam|dear|my friend|und|y|e|et|dan|जी|啊|呀|的|了|です|요'

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
const assentFillerPattern = between(assentFillers)

/** "👍", "!!!": nothing that is a word, a number or a question. */
const isWordless = (text: string): boolean =>
  /[\p{S}\p{P}]/u.test(text) && !/[\p{L}\p{N}]/u.test(text) && !isAsking(text)
const isAsking = (text: string): boolean => /[?？؟⁉❓❔]/u.test(text)

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
  const kind = kinds.find((each) => found.includes(each)) ?? (isWordless(text) ? 'assent' : undefined)
  if (kind === 'assent' && isAsking(text)) return undefined
  if (/[\p{L}\p{N}]/u.test(rest.replace(kind === 'assent' ? assentFillerPattern : fillerPattern, ' '))) return undefined
  return kind && { kind, language }
}
