import { detectChineseOrJapanese } from './chinese-or-japanese.ts'
import { westernScoreOf } from './western-score.ts'

/** How a language's letters beyond ASCII look, and the encodings in which its texts are stored besides Unicode. */
interface Alphabet {
  encodings: string[]
  /** Letters that every text of the language has. */
  frequent: string
  others?: string
  /** Further letters that are possible: they say neither yes nor no. */
  possible?: RegExp
  /** Letters of ASCII that only its foreign words have. */
  unused?: RegExp
}

/** Of all bytes: the letters of a language that uses them are several times as many. */
const fewForeign = 0.015

const western = ['windows-1252']
const central = ['windows-1250', 'iso-8859-2']
const cyrillic = ['windows-1251', 'koi8-u', 'iso-8859-5', 'ibm866', 'x-mac-cyrillic']
const ideographs = /\p{Script=Han}/u
const chinese =
  '的一是不在人有我他中上大和地到以要就出可也你生能而子那得下自之年作用道行所然家事成方多去法如都同面起看定天分好小部其些主理心她本前但因只想日者意力它把十民第公此已工使情明性知全三又正外高由很最重物手文政美相被利什二等或新己制身果加西月合回特代信表化老世位次度任常先海通教原提立及比水名真走各入口平更打女四神何安少才反受目太量再感建做接必件管期市直命山金指保至形社便空治五基眼非白光放即像且思王完式色路南品住告求北死交取拉格望共清今切'

/**
 * In the order of preference: where two explain a text equally well, the first one counts. Letters that several
 * encodings store in the same places, such as ä and ö, do not tell them apart.
 */
const alphabets: Alphabet[] = [
  { encodings: western, frequent: 'äöüß' },
  { encodings: western, frequent: 'éèàêç', others: 'îôûâùïëœæü' },
  { encodings: western, frequent: 'áéíóúñ', others: '¿¡üªº' },
  { encodings: western, frequent: 'ãçáéõ', others: 'íóúêâôàüªº' },
  { encodings: western, frequent: 'àèéìòù', others: 'îªº' },
  { encodings: western, frequent: 'åäöæø', others: 'éüòóôâ' },
  { encodings: western, frequent: 'àçèéíòó', others: 'ïúü·' },
  { encodings: ['windows-1254'], frequent: 'ışğçöüi\u0307', others: 'âîû' },
  { encodings: western, frequent: 'ðþáéíóúýæö' },
  // Lists of names have letters of many languages.
  { encodings: western, frequent: '', others: 'àáâãäåæçèéêëìíîïñòóôõöøùúûüýßœªº¿¡' },
  { encodings: central, frequent: 'ąćęłńóśźż' },
  { encodings: central, frequent: 'áčéěířšýž', others: 'ďňóťúů' },
  { encodings: central, frequent: 'áčéíľšťýž', others: 'äďĺňóôŕú' },
  // Before Hungarian, which has ő at the byte of õ.
  { encodings: ['windows-1257'], frequent: 'äõöü', others: 'šž', unused: /[cyz]/gi },
  { encodings: central, frequent: 'áéíóöőúüű' },
  { encodings: central, frequent: 'ăâîşţ' },
  { encodings: central, frequent: 'čćđšž' },
  { encodings: ['windows-1257'], frequent: 'ąčęėįšųūž' },
  { encodings: ['windows-1257'], frequent: 'āčēīšūņļž', others: 'ģķŗō' },
  { encodings: ['windows-1258'], frequent: 'đơưăâêô\u0300\u0301\u0303\u0309\u0323', others: 'éèáàíóòúùýãõ' },
  { encodings: cyrillic, frequent: 'оеаинтсрвл', others: 'кмдпуяыьгзбчйхжшюцщэфъё' },
  { encodings: cyrillic, frequent: 'оаинтевріс', others: 'кмдпуяьгзбчйхжшюцщфєїґл' },
  { encodings: cyrillic, frequent: 'аиоенјтсрву', others: 'кмдплгзбчхжшцфђљњћџќѓѕ' },
  { encodings: ['windows-1253', 'iso-8859-7'], frequent: 'αοιετσνηρ', others: 'πκμλάόίέήύώθγδυχφβωξζψςϊϋΐΰ' },
  {
    encodings: ['windows-1255', 'iso-8859-8'],
    frequent: 'יוהלאםרבתש',
    others: 'מנךןףץפכדגזחטסעצק',
    possible: /\p{M}/u,
  },
  {
    encodings: ['windows-1256', 'iso-8859-6'],
    frequent: 'الينمرتوبه',
    others: 'سدعفقكحجخصضطظغشزذثئءأإآؤةىپچژگکی،؛؟',
    possible: /[\p{M}ـ]/u,
  },
  {
    encodings: ['windows-874'],
    // Vowels and marks, which misread Chinese and Korean has fewer of, and consonants that those languages have few of.
    frequent: 'ะัาำิีึืุูเแโใไ็่้๊๋์กขงจสหอ',
    others: 'นรมยลว',
    possible: /\p{Script=Thai}/u,
  },
  {
    encodings: ['shift_jis', 'euc-jp'],
    frequent: `のにはをたがでてとしれさるいならもなっすんうこどりきくかまアイスルンートラリク、。「」${chinese}国時間学長会話見語気書`,
    possible: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{P}]/u,
  },
  {
    encodings: ['gb18030'],
    frequent: `${chinese}这个们来为国说时会对于着过发后里种经么学现当没动还进样开从实军无与长机关点业将两间问并应战向头体见产话内给门儿东声员解论处义几认条系气题尔别变总电数报结务场计资许统区队决展马科司书则听却界达强难权象设记类据程边张该规万觉术领确传师观院让识候带导争运，。、：；！？（）《》“”`,
    possible: ideographs,
  },
  {
    encodings: ['big5'],
    frequent: `${chinese}這個們來為國說時會對於著過發後裡種經麼學現當沒動還進樣開從實軍無與長機關點業將兩間問並應戰向頭體見產話內給門兒東聲員解論處義幾認條系氣題爾別變總電數報結務場計資許統區隊決展馬科司書則聽卻界達強難權象設記類據程邊張該規萬覺術領確傳師觀院讓識候帶導爭運，。、：；！？（）「」`,
    possible: ideographs,
  },
  {
    encodings: ['euc-kr'],
    frequent:
      '이다는을의에를가고하지기도로은시사한인어자리정나서아그라과들수전대일해부장제있보주스만원상구조연성세중면소여동공내방국비무경개관교모우선학생문화신미되었습니까저희오후할',
    others:
      '것와터안된때말않없같년월위등통합진용치추력행적각반계달회유실간영업점품매번호불능물건배송료환금액결답변요입네데러려며므브버템설명트프랜드플바타파카차커퍼텔센식음밥맛집강남북쪽길역층텍룸싱글더블침욕접속밀암확취청탈퇴포립쿠폰율산발증체크좌름메잔최규칙토목직팀코홍빨란초록검색흰분책종류량격택급약육칠팔십백천두섯덟홉열병찰감염처술심테샵쇼핑절재출근휴복험형폼양손눈귀박임윤권황허노곽김찌볶탕빔냉삼겹살닭갈쌀빵채피콜맥막걸녹쥬누켤레릇봉묶킬램싶죠께님씨혹써받낼겠릴봐줘워춰웃',
    possible: /\p{Script=Hangul}/u,
  },
]

/** Found in texts of every language. */
const neutral = /[\p{P}\p{Sc}\p{Zs}°§©®™±²³½¼¾×·µ№†‡•→\ufeff]/u
const asciiLetter = /[a-z]/i
const foreign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thai}]/u
/** A mark after no letter, a vowel before no consonant, or a digit beside a letter, as the second of three characters. */
const misplacedThai =
  /^(?:[^\u0e01-\u0e2e\u0e30-\u0e3a\u0e47-\u0e4e][\u0e30-\u0e3a\u0e47-\u0e4e].|.[\u0e40-\u0e44][^\u0e01-\u0e2e]|[\u0e01-\u0e4e][\u0e3f\u0e50-\u0e5b].|.[\u0e3f\u0e50-\u0e5b][\u0e01-\u0e4e])$/su
const letter = /\p{L}/u
const bicameral = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u
/** Letters that are words. Any other that stands alone is most likely a misread sign, such as € and «. */
const oneLetterWord = /[àáâãåæèéêëíîïñóôõöøúûüýðşăőūавикосуяжбэіїйзјѝαηήοό]/iu
const aloneScore = 0
const unassigned = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u

const otherLatin = new Set([...central, 'windows-1254', 'windows-1257', 'windows-1258'])

/** Scores that differ by less are equal. */
const margin = 1e-9

interface Found {
  encoding: string
  alphabet: Alphabet
  score: number
}

/** Enough to decide, and the same work for a book as for a page. */
export const sampleBytes = 16_000

/** Japanese mail uses only ASCII's bytes and switches to its characters by an escape sequence. */
export const detectSevenBit = (bytes: Buffer) =>
  bytes.includes('\x1b$B') || bytes.includes('\x1b$@') ? 'iso-2022-jp' : undefined

/** The encoding in which these bytes, which are not UTF-8, read like a language; undefined if there is none. */
export function detectEncoding(bytes: Buffer): string | undefined {
  const sample = bytes.subarray(0, sampleBytes)
  const unspaced = !sample.includes(0) && sample.some(isControl) ? detectUnspaced(sample) : undefined
  const known = unspaced ?? detectChineseOrJapanese(sample)
  if (known) return known
  const found = rankEncodings(sample, sample.includes(0) ? unicode : undefined)
  const first = found[0]
  if (!first || first.score <= leastScore)
    return sample.includes(0) ? undefined : (detectUnspaced(sample) ?? detectMac(sample))
  if (first.encoding !== 'windows-1252' && !otherLatin.has(first.encoding)) return first.encoding
  const other = found.find(({ encoding }) => otherLatin.has(encoding))
  // An equal score is enough: Portuguese and Hungarian have the byte of õ and ő.
  const isOther = other && other.score > first.score - margin && !isWestern(sample, other)
  return isOther ? other.encoding : 'windows-1252'
}

const unicode = ['utf-16le', 'utf-16be']

/**
 * The code page of old Macs, for Western languages. What windows-1252 reads as a sign is no evidence: its quotation marks
 * are letters with accents there.
 */
function detectMac(sample: Buffer): string | undefined {
  const signs = new TextDecoder('windows-1252').decode(sample)
  const letters = sample.map((byte, i) => (neutral.test(signs[i] as string) ? space : byte))
  const characters = countCharacters(new TextDecoder('macintosh').decode(letters))
  // Euro signs and dashes would outweigh the few letters of a price list.
  for (const key of characters.keys()) if (neutral.test(key)) characters.delete(key)
  const score = Math.max(...alphabets.filter(isWesternAlphabet).map((alphabet) => scoreOf(characters, alphabet)))
  return score > leastMacScore ? 'macintosh' : undefined
}

const space = 0x20
const isWesternAlphabet = ({ encodings }: Alphabet): boolean => encodings === western
const leastMacScore = 0.7

/** Lower scores are found in noise. */
const leastScore = 0.2

/** No text has these bytes, apart from the escape sequences of Japanese mail; in UTF-16 they are halves of 。 and 、. */
const isControl = (byte: number): boolean => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)

/** A line of Chinese or Japanese in UTF-16 has no ASCII character, and so no zero byte. */
function detectUnspaced(sample: Buffer): string | undefined {
  if (sample.length % 2 === 1) return undefined
  const [first] = rankEncodings(sample, unicode)
  return first && first.score > leastScore ? first.encoding : undefined
}

/** The evidence against windows-1252 that a text needs, and each differing character besides. */
const leastEvidence = { ofText: 1, ofCharacter: 0.2 }

/**
 * Whether windows-1252 explains the bytes about as well as another Latin encoding. Only characters that the two decode
 * differently count: ä and é are evidence for neither.
 */
function isWestern(sample: Buffer, { encoding, alphabet }: Found): boolean {
  const western = [...new TextDecoder('windows-1252').decode(sample)]
  const other = [...new TextDecoder(encoding).decode(sample)]
  let [differing, evidence, hasCaron] = [0, 0, false]
  for (const [i, character] of western.entries()) {
    if (character === other[i]) {
      hasCaron ||= 'ŠšŽž'.includes(character) && alphabet.frequent.includes(character.toLowerCase())
      continue
    }
    const [before = ' ', after = ' '] = [western[i - 1], western[i + 1]]
    differing++
    evidence += letterScoreOf(keyAt(other, i), alphabet) - westernScoreOf({ before, character, after })
  }
  // Windows-1250 has š and ž at the same bytes, but no Western language has them.
  return evidence <= differing * leastEvidence.ofCharacter + (hasCaron ? 0 : leastEvidence.ofText)
}

/** The best first; where two are equal, in the order of preference. */
function rankEncodings(sample: Buffer, only: string[] | undefined): Found[] {
  const texts = new Map<string, Map<string, number>>()
  const charactersIn = (encoding: string) => {
    const known = texts.get(encoding) ?? countCharacters(new TextDecoder(encoding).decode(sample, { stream: true }))
    texts.set(encoding, known)
    return known
  }
  const ascii = sample.toString('latin1')
  const hasForeign = ({ unused }: Alphabet) =>
    unused !== undefined && (ascii.match(unused)?.length ?? 0) > ascii.length * fewForeign
  const found = alphabets.flatMap((alphabet) =>
    (hasForeign(alphabet) ? [] : (only ?? alphabet.encodings)).map((encoding) => ({
      encoding,
      alphabet,
      score: Math.round(scoreOf(charactersIn(encoding), alphabet) / margin) * margin,
    })),
  )
  return found.sort((a, b) => b.score - a.score)
}

/**
 * Characters beyond ASCII. What no text has is marked, because it is most likely misread: a capital after a small
 * letter or between a capital and a small one, letters of two alphabets side by side, a single foreign letter that is no
 * word, and a Thai vowel or mark without its consonant: any pair of bytes of Chinese, Japanese or Korean is two Thai
 * characters.
 */
function countCharacters(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  const characters = [...text]
  for (const [i, character] of characters.entries()) {
    if (character <= '\x7f') continue
    const key = keyAt(characters, i)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const isSmall = (character: string): boolean => character.toUpperCase() !== character

/** The small letter, with a mark if it is misread or stands alone. */
function keyAt(characters: string[], i: number): string {
  const [before = ' ', character = ' ', after = ' '] = [characters[i - 1], characters[i], characters[i + 1]]
  const small = character.toLowerCase()
  const isCapital = small !== character
  const isMisread =
    (isCapital && (isSmall(before) || (letter.test(before) && isSmall(after) && after !== 'ß'))) ||
    (foreign.test(character) && (asciiLetter.test(before + after) || (isCapital && !foreign.test(before + after)))) ||
    misplacedThai.test(before + character + after)
  if (isMisread) return `${small}!`
  const isAlone = !letter.test(before) && !letter.test(after) && !oneLetterWord.test(character)
  return isAlone && letter.test(character) && bicameral.test(character) ? `${small}?` : small
}

/** From -2, where nothing fits, to 1, where each character is a frequent letter. */
function scoreOf(counts: Map<string, number>, alphabet: Alphabet): number {
  let sum = 0
  let all = 0
  for (const [key, n] of counts) {
    all += n
    sum += n * letterScoreOf(key, alphabet)
  }
  return all === 0 ? 0 : sum / all
}

function letterScoreOf(key: string, { frequent, others = '', possible }: Alphabet): number {
  const character = key.replace(/[!?]$/, '')
  if (key.endsWith('!')) return -1
  if (key.length > character.length) return aloneScore
  if (frequent.includes(character)) return 1
  if (others.includes(character)) return 0.6
  if (unassigned.test(character)) return -2
  if (neutral.test(character)) return 0.2
  return possible?.test(character) ? 0 : -1
}
