import { foldArabic } from '../../platform/fold-arabic.ts'

/**
 * Words that only make a sentence a question. They are rare in documents, so that they would seem to be what the question
 * is about. PostgreSQL leaves out the stop words of most languages; it has no list for these.
 */
const spaced = {
  hindi:
    'क्या कैसे कब कहाँ कहां कौन कौनसा कितना कितनी कितने क्यों किस किसे किसको मुझे मैं मेरा मेरी मेरे हम हमें हमारा आप आपका आपकी आपके है हैं हूँ हूं था थी थे हो होता होती होते का की के को से में पर ने और या तो भी ही अगर यदि यह वह ये वे इस उस कर करें करूँ करना करने सकता सकती सकते सकूँ जा लिए लिये साथ कोई कुछ मिल मिलेगा मिलेगी चाहिए चाहता',
  arabic:
    'هل كيف متى أين اين من ما ماذا لماذا كم أي اي في على إلى الى عن مع هذا هذه ذلك تلك التي الذي أنا انا نحن أنت انت هو هي لي لدي عندي يمكن يمكنني أستطيع استطيع أريد اريد إذا اذا أو او ثم قد كان كانت يكون تكون لا لم لن بعد قبل كل عند',
  persian:
    'آیا چه چی چیست چگونه چطور کی کجا کجاست چرا چند چقدر کدام از در به با را و که این آن است هست هستند بود باشد برای تا یا هم اگر من ما شما او آنها می شود کنم کنید کند کرد کرده باید نه نیست دارد دارم دارید خود پس',
  indonesian:
    'yang dan di ke dari untuk dengan pada ini itu saya kami kita anda kamu apa apakah bagaimana berapa kapan mana siapa mengapa kenapa bisa dapat boleh ada adalah akan jika kalau atau juga oleh dalam tidak bukan sudah belum harus mau ingin agar saat setelah sebelum',
}
const scripted = new Set([spaced.hindi, spaced.arabic, spaced.persian].join(' ').split(' ').map(foldArabic))
const indonesian = new Set(spaced.indonesian.split(' '))

/** Longest first: these languages do not put spaces between words. */
const unspaced =
  /(?:是什么样的|什么时候|怎么办|怎么样|怎样|怎么|什么|多少钱|多少|多久|多长时间|几天|哪里|哪儿|哪些|哪个|为什么|是否|能不能|可不可以|可以|我的|我们|你们|您们|请问|需要|如果|吗|呢|どうすれば|どうしたら|どうやって|どのように|どのくらい|どれくらい|いつまで|いつから|いつ|いくら|どこ|だれ|なぜ|どう|何時|何日|何|でしょうか|ますか|ですか|できますか|ません|ください|したい|たい|場合)+/gu

/** The question without those words; as it is when nothing else is left. */
export function withoutQuestionWords(question: string): string {
  const words = question.normalize('NFKC').split(/(?<=\s)|(?=[\s?!.,،؟।])/u)
  const isIndonesian = words.filter((word) => indonesian.has(word.trim().toLowerCase())).length > 1
  const isContent = (word: string) => {
    const plain = word.trim().toLowerCase()
    return !scripted.has(foldArabic(plain)) && !(isIndonesian && indonesian.has(plain))
  }
  const rest = words.filter(isContent).join('').replace(unspaced, ' ')
  return /[\p{L}\p{N}]/u.test(rest) ? rest : question
}
