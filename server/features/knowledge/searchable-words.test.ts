import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchableWords, wordsOfQuestion } from './searchable-words.ts'

const wordsOf = (text: string, words = searchableWords) => words(text).split(' ').filter(Boolean)

/** Whether a question with these words would match a text with those. */
const meets = (question: string, text: string) => {
  const words = new Set(wordsOf(text).map((word) => word.toLowerCase()))
  return wordsOf(question, wordsOfQuestion).some((word) => words.has(word.toLowerCase()))
}

test('punctuation neither glues words together nor splits them for good', () => {
  for (const [question, text] of [
    ['AT&T', 'a contract with AT&T.'],
    ['ISO 9001', 'certified by ISO-9001'],
    ['ISO9001', 'certified by ISO-9001'],
    ['3000', 'costs 3,000 dollars'],
    ['OBrien', 'asked Mr. O’Brien'],
    ["O'Brien", 'asked Mr. O’Brien'],
    ['wifi', 'Wi-Fi'],
    ['Wi-Fi', 'the wifi network'],
    ['iPad', 'iPhone/iPad'],
    ['34', 'order 12-34'],
    ['quoted', 'a “quoted”—word'],
    ['acme', 'mail sales@acme.com'],
    ['v213', 'release v2.1.3'],
  ] as const)
    assert.ok(meets(question, text), `${question} in ${text}: ${searchableWords(text)}`)
})

test('a name in the genitive matches the name', () => {
  assert.deepEqual(wordsOf("Acme’s and Boris' and it's"), ['Acme', 'and', 'Boris', 'and', 'it'])
})

test('accents may be left out or kept', () => {
  assert.ok(meets('cafe', 'the Café'))
  assert.ok(meets('café', 'the Café'))
  assert.ok(meets('Muller', 'Frau Müller'))
  assert.ok(!meets('Möller', 'Frau Müller'))
  assert.ok(meets('bezplatna', 'bezpłatna dostawa'))
  assert.ok(meets('Strasse', 'Lange Straße 3'))
  assert.ok(meets('ucretsiz', 'KARGO ÜCRETSİZ'))
})

test('Arabic, Persian and Urdu ways of writing a word match each other', () => {
  for (const [question, text] of [
    // The ligature of lam and alef, and other presentation forms.
    ['الاسعار', '\ufe8d\ufefb\ufeb3\ufecc\ufe8e\ufead'],
    ['\u0637\u0644\u0627', 'خاتم \u0637\ufefc'],
    ['\u0637\ufefc', 'خاتم \u0637\u0644\u0627'],
    ['كتابي', 'کتابی'],
    ['کتابی', 'كتابي'],
    ['شکایت', 'شكايت'],
    ['شكاية', 'شکایه'],
    ['مسئول', 'مسئول'],
    ['کتابها', 'کتاب\u200cها'],
    ['کتاب ها', 'کتاب\u200cها'],
    ['کتاب\u200cها', 'کتابها'],
    ['کتاب\u200cها', 'کتاب ها'],
    ['مرحبا', 'مـــرحـبا'],
    ['مـــرحـبا', 'مرحبا'],
    ['الضمان', 'الضَّمَانُ'],
    ['الضَّمَانُ', 'الضمان'],
    ['۱۴', '14 روز'],
    ['14', 'خلال ١٤ يوما'],
    ['١٤', '۱۴ روز'],
    ['۱۴۰۰', '۱٬۴۰۰ تومان'],
    ['ٹھیک', 'ٹهيك'],
    ['\u200fتهران\u200f', 'تهران'],
    ['१४', '14 दिन'],
  ] as const)
    assert.ok(meets(question, text), `${question} in ${text}: ${searchableWords(text)}`)
  assert.ok(!meets('کتاب', 'كاتب'))
  assert.deepEqual(wordsOf('\ufefb', wordsOfQuestion), ['\u0644\u0627'], 'a question of nothing else')
  assert.deepEqual(wordsOf('لا ضمان', wordsOfQuestion), wordsOf('\ufefb ضمان', wordsOfQuestion))
  assert.deepEqual(wordsOf('هزینه ارسال چقدر است؟', wordsOfQuestion), wordsOf('هزینه ارسال'))
})

test('scripts without spaces match by pairs of characters', () => {
  assert.ok(meets('世界', '你好世界'))
  assert.ok(!meets('好你', '你好世界'))
  assert.ok(meets('東京', '私は東京に住んでいます'))
  assert.ok(meets('배송비 무료', '배송비가 무료입니다'))
  assert.deepEqual(wordsOf('東 iPhone15です', wordsOfQuestion), ['東', 'iPhone15', 'です'])
})

test('one character of such a script matches too, and does not dilute longer questions', () => {
  assert.ok(meets('店', '国王大街的商店'))
  assert.ok(!meets('店国', '国王大街的商店'))
})

test('invisible characters and equivalent forms make no difference', () => {
  assert.deepEqual(wordsOf('soft\u00adhyphen zero\u200bwidth ﬁne ＡＢＣ'), ['softhyphen', 'zerowidth', 'fine', 'ABC'])
  assert.equal(searchableWords('…—“” !?'), '')
})
