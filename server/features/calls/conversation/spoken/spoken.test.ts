import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signsToWords } from './signs-to-words.ts'
import { wordsToSigns } from './words-to-signs.ts'

const said = (text: string, language: string, readsPlainNumbers = false) =>
  signsToWords(text, language, readsPlainNumbers).text

test('addresses, numbers, dates, times and money are spoken in the language', () => {
  const cases: [string, string, string][] = [
    ['en-US', 'Write to ada.lovelace@example.com.', 'Write to ada dot lovelace at example dot com.'],
    ['en', 'ada_42-x@mail.example.org', 'ada underscore 42 dash x at mail dot example dot org'],
    ['en', 'See https://www.example.com/returns?id=7.', 'See example dot com slash returns.'],
    ['en', 'It is on example.com/help-desk now.', 'It is on example dot com slash help dash desk now.'],
    ['en', 'Call +12025550142.', 'Call plus 1, 2 0 2, 5 5 5, 0 1 4 2.'],
    ['en', 'Call (202) 555-0142, please.', 'Call 2 0 2, 5 5 5, 0 1 4 2, please.'],
    ['en', 'Order 123456789 is late.', 'Order 1 2 3, 4 5 6, 7 8 9 is late.'],
    ['en', 'On 2026-11-17.', 'On November 17, 2026.'],
    ['en', 'At 14:30 or 9:05 or 12:00.', 'At 2 30 P M or 9 oh 5 or 12.'],
    ['en', 'Does 2:30 work, or 0:15?', 'Does 2 30 work, or 12 15 A M?'],
    ['en', 'From 1:00 to 3:00 PM.', 'From 1 to 3:00 PM.'],
    ['en', 'On Example.com or mail.esempio.it.', 'On Example dot com or mail dot esempio dot it.'],
    ['en', 'Card 4111 1111 1111 1111.', 'Card 4 1 1 1, 1 1 1 1, 1 1 1 1, 1 1 1 1.'],
    ['en', 'Code 12345678901234567890', 'Code 1 2 3, 4 5 6, 7 8 9, 0 1 2, 3 4 5, 6 7 8, 9 0'],
    ['en', 'GB29 NWBK 6016 1331 9268 19.', 'G B 2 9, N W B K, 6 0 1 6, 1 3 3 1, 9 2 6 8, 1 9.'],
    ['de', 'DE89370400440532013000', 'D E 8 9, 3 7 0 4, 0 0 4 4, 0 5 3 2, 0 1 3 0, 0 0'],
    ['en', 'Call 202.555.0142. 3 of us wait.', 'Call 2 0 2, 5 5 5, 0 1 4 2. 3 of us wait.'],
    ['fr', 'Le 06.12.34.56.78', 'Le 0 6, 1 2, 3 4, 5 6, 7 8'],
    ['es', 'El 912 345 678', 'El 9 1 2, 3 4 5, 6 7 8'],
    ['en', '2026-11-17 14:30', 'November 17, 2026 2 30 P M'],
    ['en-CA', 'It costs $50 or US$40.', 'It costs 50 dollars or 40 dollars.'],
    ['es-MX', 'Son $1,500.', 'Son 1500 pesos mexicanos.'],
    ['es-CO', 'Son $3.499.', 'Son 3499 pesos colombianos.'],
    ['fr', '1 250 000 €', '1250000 euros'],
    ['id', 'Rp50.000', '50000 Rupiah Indonesia'],
    ['pt', 'À 1:00 ou às 2:00 amanhã.', 'À 1 hora ou às 2 horas amanhã.'],
    ['en', 'It costs $1,299.50.', 'It costs 1299 dollars 50.'],
    ['en', 'It costs $1.', 'It costs 1 dollar.'],
    ['es-MX', 'ana@ejemplo.com.mx', 'ana arroba ejemplo punto com punto mx'],
    ['es', 'A las 17:00, por 19,99 €.', 'A las 17 en punto, por 19 euros con 99.'],
    ['es', 'El +34 912 345 678', 'El más 3 4, 9 1 2, 3 4 5, 6 7 8'],
    ['pt-BR', 'Custa R$ 1.299,50 às 9:30.', 'Custa 1299 Reais brasileiros e 50 às 9 e 30.'],
    ['pt', 'joao@exemplo.com', 'joao arroba exemplo ponto com'],
    ['de-DE', 'Um 9:30 Uhr für 20 €, am 2026-03-01.', 'Um 9 Uhr 30 für 20 Euro, am 1. März 2026.'],
    ['de', 'max-muster@beispiel.de', 'max Bindestrich muster at beispiel Punkt de'],
    ['de', '030/1234567', '0 3 0, 1 2 3 4 5 6 7'],
    ['fr-FR', 'À 9h30, 1 250,00 EUR.', 'À 9 heures 30, 1250 euros.'],
    ['fr', 'jean@exemple.fr', 'jean arobase exemple point fr'],
    ['it', 'Alle 8:00: rosa@esempio.it', 'Alle 8 in punto: rosa chiocciola esempio punto it'],
    ['hi-IN', '₹500, 10:15', '500 भारतीय रुपए, 10 बजकर 15 मिनट'],
    ['hi', 'ravi@example.in', 'ravi ऐट example डॉट in'],
    ['ar', 'ali@example.com', 'ali آت example نقطة com'],
    ['id-ID', 'Rp 50.000, budi@contoh.id', '50000 Rupiah Indonesia, budi at contoh titik id'],
  ]
  for (const [language, written, spoken] of cases)
    assert.equal(said(written, language), spoken, `${language}: ${written}`)
})

test('other text stays as it is', () => {
  for (const text of [
    'We open at nine. Then we close.',
    'Version 3.5 has 1.234.567 users, e.g. from 2024/2025.',
    'On 10-12-2026 at 9:30 am.',
    'Room 12, floor 3, 45678.',
    'This is the end.Next one',
    'A ratio of 3:75 and @home.',
    'A ratio of 1:10 takes 2h30.',
    'A$50, CA$50 or MX$500.',
    '$0.015 per minute, $3.499, $5 million, $10k or $5-10.',
    'AB20 DAYS FROM NOW 2026.',
    'I said 4 1 5 5 5 5 0 1 4 2.',
    '192.168.1.100 runs Version 10.0.19045.',
    'June 10-12 2026, or 10/12/2026 9 am, or 10/12/26 9 am, or 2026/11/17.',
    '2026-11-17T14:30:00Z, 2026-11-17T14:30Z or 2026-02-31.',
  ])
    assert.equal(said(text, 'en'), text)
  const inOthers: [string, string][] = [
    ['es', '$500'],
    ['es-MX', '$3.499 o $50 USD'],
    ['pt-BR', 'R$ 10 mil ou R$ 2 milhões'],
    ['id', 'Rp 50 ribu, Rp 5 juta'],
    ['fr', '10 000 000 habitants, 1 250 000 euros, 250 000 000'],
    ['de', 'Im Verhältnis 1:10'],
  ]
  for (const [language, text] of inOthers) assert.equal(said(text, language), text, `${language}: ${text}`)
  assert.equal(said('ada@example.com', 'ja'), 'ada@example.com', 'a language without words')
  assert.equal(said('$5 at 14:30, ada@x.com', 'en', true), '$5 at 14:30, ada at x dot com')
  assert.equal(said('$1250000', 'en', true), '$1250000')
  assert.equal(said('1 250 000 €', 'fr', true), '1 250 000 €')
})

test('the position in the spoken text leads back to the written text', () => {
  const written = 'Write to ada@example.com today.'
  const { text, writtenEnd } = signsToWords(written, 'en', false)
  assert.equal(text, 'Write to ada at example dot com today.')
  const heard = (spoken: string) => written.slice(0, writtenEnd(spoken.length))
  assert.equal(heard('Write to'), 'Write to')
  assert.equal(heard('Write to ada at example'), 'Write to ')
  assert.equal(heard('Write to ada at example dot com'), 'Write to ada@example.com')
  assert.equal(heard(text), written)
})

test('digits and addresses that were recognized as words are read', () => {
  const cases: [string, string, string][] = [
    ['en-US', 'My number is four one five, five five five, zero one four two.', 'My number is 4155550142.'],
    ['en', 'It is 4 1 5 double five five oh one.', 'It is 41555501.'],
    ['en', 'Ada dot Lovelace at example dot com, thanks', 'Ada.Lovelace@example.com, thanks'],
    ['en', 'ada at example.com', 'ada@example.com'],
    ['en', 'I was at one two three.', 'I was at one two three.'],
    ['en', 'We met at the dot.', 'We met at the dot.'],
    ['en', 'I bought it at target.com yesterday', 'I bought it at target.com yesterday'],
    ['en', 'reach me at work dot com', 'reach me at work dot com'],
    ['en', 'reach me at ada at mail.example dot co dot uk', 'reach me at ada@mail.example.co.uk'],
    ['en', 'sizes 1.5, 2.5, 3.5', 'sizes 1.5, 2.5, 3.5'],
    ['en', 'version 1.2.3.4.5', 'version 1.2.3.4.5'],
    ['en', 'oh, oh, oh, oh, oh no', 'oh, oh, oh, oh, oh no'],
    ['pt', 'joão arroba exemplo ponto com ponto br', 'joão@exemplo.com.br'],
    ['de', 'null drei null doppelfünf zwei drei', 'null drei null doppelfünf zwei drei'],
    ['de', 'null drei null doppel fünf zwei drei', '0305523'],
    ['es', 'seis uno dos tres cuatro cinco', '612345'],
    ['es', 'ana arroba ejemplo punto com', 'ana@ejemplo.com'],
    ['pt', 'nove oito sete meia cinco quatro', '987654'],
    ['pt', 'joão ponto silva arroba exemplo ponto com', 'joão.silva@exemplo.com'],
    ['de', 'Null drei null eins zwo drei', '030123'],
    ['de', 'max unterstrich muster at beispiel punkt de', 'max_muster@beispiel.de'],
    ['fr', 'zéro six un deux trois quatre', '061234'],
    ['fr', 'jean tiret luc arobase exemple point fr', 'jean-luc@exemple.fr'],
    ['it', 'tre tre tre uno due due', '333122'],
    ['hi', 'नौ आठ सात छह पाँच चार', '987654'],
    ['ar', 'خمسة ستة سبعة ثمانية تسعة', '56789'],
    ['id', 'nol delapan satu dua tiga', '08123'],
    ['id', 'budi at contoh titik id', 'budi@contoh.id'],
    ['ja', 'one two three four five six', 'one two three four five six'],
  ]
  for (const [language, heard, written] of cases)
    assert.equal(wordsToSigns(heard, language), written, `${language}: ${heard}`)
})
