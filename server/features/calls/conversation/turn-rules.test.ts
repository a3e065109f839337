import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endingOf, hasStopWord, isBackChannel, isEcho, judgeOverlap, type Verdict } from './turn-rules.ts'

test('back-channels of each language show attention only', () => {
  const backChannels: Record<string, string[]> = {
    en: [
      'Yeah.',
      'Mm-hmm',
      'mm hmm',
      'Uh-huh.',
      'uh huh',
      'Got it.',
      'Oh, really?',
      'Okay, okay.',
      'I see.',
      'mhm',
      'Hmm',
    ],
    es: ['Sí.', 'Ajá', 'Claro, claro.', 'Ya veo.', 'De acuerdo', '¿En serio?', 'mm'],
    pt: ['Sim.', 'Tá bom.', 'Uhum', 'Pois é.', 'Entendi, entendi.'],
    de: ['Ja.', 'Ja, genau.', 'Ach so!', 'Alles klar.', 'Mhm', 'Verstehe.'],
    fr: ['Oui.', 'D’accord.', "D'accord", 'Ah bon ?', 'C’est ça.', 'Très bien, oui.'],
    it: ['Sì, sì.', 'Va bene.', 'Ho capito.', 'Davvero?', 'D’accordo'],
    hi: ['हाँ', 'जी हाँ', 'अच्छा, ठीक है', 'हम्म', 'haan ji', 'समझ गया'],
    ar: ['نعم', 'طيّب، تمام', 'فهمت', 'حسنًا'],
    id: ['Iya.', 'Oh begitu.', 'Baik, saya mengerti.', 'Oke'],
  }
  for (const [language, texts] of Object.entries(backChannels))
    for (const text of texts) assert.ok(isBackChannel(text, `${language}-XX`), `${language}: ${text}`)
  const others: [string, string][] = [
    ['en', 'Stop.'],
    ['en', 'Yes, but when?'],
    ['en', 'No.'],
    ['en', ''],
    ['en', 'sí'],
    ['es', 'Sí, pero ¿cuándo?'],
    ['de', 'Nein.'],
    ['de', 'Ja, am Montag.'],
    ['hi', 'हाँ, लेकिन कब'],
    ['ar', 'لا'],
  ]
  for (const [language, text] of others) assert.ok(!isBackChannel(text, language), `${language}: ${text}`)
  assert.ok(isBackChannel('yeah', 'fi-FI'), 'a language without rules has those of English')
})

test('stop words of the language and of the agent are found as whole words', () => {
  const found: [string, string][] = [
    ['en', 'Wait!'],
    ['en', 'No, hold on.'],
    ['en', 'Excuse me, I only want the price'],
    ['es', 'Espere, por favor'],
    ['pt', 'Um momento'],
    ['de', 'Moment mal!'],
    ['fr', 'Attendez'],
    ['fr', 'Excusez-moi'],
    ['it', 'Un attimo'],
    ['hi', 'रुकिए'],
    ['ar', 'لحظة'],
    ['id', 'Tunggu sebentar'],
  ]
  for (const [language, text] of found) assert.ok(hasStopWord(text, language), `${language}: ${text}`)
  for (const text of ['Waiter', 'nonstop', 'unlistened', '']) assert.ok(!hasStopWord(text, 'en'), text)
  assert.ok(!hasStopWord('Cancel it', 'en'))
  assert.ok(hasStopWord('Cancel it', 'en', ['cancel']))
  assert.ok(!hasStopWord('anything', 'en', ['…']), 'a stop word without letters matches nothing')
})

test('a turn that ends in the middle of a phrase goes on', () => {
  const unfinished: [string, string][] = [
    ['en', 'I would like to'],
    ['en', 'Monday, Tuesday and'],
    ['en', 'Because.'],
    ['en', 'My number is.'],
    ['en', 'My name is...'],
    ['en', 'um'],
    ['es', 'Quiero una cita porque'],
    ['es', 'Mi número es'],
    ['pt', 'O meu número é'],
    ['de', 'Ich rufe an, weil'],
    ['de', 'Meine Nummer ist'],
    ['fr', 'Je vous appelle parce que'],
    ['fr', 'Je m’appelle'],
    ['it', 'Mi chiamo'],
    ['hi', 'मेरा नंबर'],
    ['hi', 'और'],
    ['ar', 'أريد موعدا لأن'],
    ['id', 'Nomor saya'],
  ]
  for (const [language, text] of unfinished) assert.equal(endingOf(text, language), 'open', `${language}: ${text}`)
  for (const [language, text] of [
    ['en', 'I am looking for.'],
    ['en', 'Well,'],
    ['ar', 'حسنا،'],
  ] as const)
    assert.equal(endingOf(text, language), 'maybe_open', text)
  const finished: [string, string][] = [
    ['en', 'I would like that.'],
    ['en', 'That is what it is.'],
    ['en', 'What is it for?'],
    ['en', 'Monday'],
    ['en', ''],
    ['es', 'Quiero una cita.'],
    ['de', 'Ich komme mit.'],
    ['fr', 'Merci beaucoup.'],
    ['hi', 'मुझे मदद चाहिए।'],
    ['ar', 'متى تفتحون؟'],
  ]
  for (const [language, text] of finished) assert.notEqual(endingOf(text, language), 'open', `${language}: ${text}`)
})

test('an echo repeats what the agent says at that moment', () => {
  const spoken = 'we are open from nine to five on weekdays and closed on sunday'
  for (const heard of [
    'We are open from nine to five.',
    'are open from nine to five on weekdays',
    'we are hoping from nine to five',
    'open from nine',
  ])
    assert.ok(isEcho(heard, spoken), heard)
  for (const heard of [
    'closed on Sunday',
    'We',
    'are you open on Sunday',
    'what about sunday and monday',
    '',
    'on weekdays?',
  ])
    assert.ok(!isEcho(heard, spoken), heard)
  assert.ok(!isEcho('Book an appointment', 'appointment opening hours or prices'), 'a choice that was read out before')
  assert.ok(!isEcho('we are open from nine', ''), 'the agent was silent')
})

test('speech over the agent interrupts it by length, words and stop words', () => {
  const overlap = { agentSaid: '', language: 'en', minWords: 1, sensitivity: 'medium' as const, stopWords: [] }
  const cases: [Partial<Parameters<typeof judgeOverlap>[0]> & { text: string; voicedMs: number }, Verdict][] = [
    [{ text: 'What does it cost?', voicedMs: 900 }, 'interrupts'],
    // What a recognizer made of "mm hmm" and "uh huh".
    [{ text: 'Then the nation then,', voicedMs: 480 }, 'too_short'],
    [{ text: 'Ever,', voicedMs: 400 }, 'too_short'],
    [{ text: 'Ever,', voicedMs: 400, sensitivity: 'high' }, 'interrupts'],
    [{ text: 'What does it cost?', voicedMs: 800, sensitivity: 'low' }, 'too_short'],
    [{ text: 'Wait!', voicedMs: 200 }, 'interrupts'],
    [{ text: 'Wait!', voicedMs: 200, minWords: 5, sensitivity: 'low' }, 'interrupts'],
    [{ text: 'Cancel', voicedMs: 200, stopWords: ['cancel'] }, 'interrupts'],
    [{ text: 'Oh really, got it.', voicedMs: 1_200 }, 'back_channel'],
    [{ text: 'The price', voicedMs: 900, minWords: 3 }, 'too_few_words'],
    [{ text: 'The price please', voicedMs: 900, minWords: 3 }, 'interrupts'],
    [{ text: '我想预约明天', voicedMs: 900, minWords: 3, language: 'zh-CN' }, 'interrupts'],
    [{ text: 'please wait a moment', voicedMs: 900, agentSaid: 'please wait a moment while I look' }, 'echo'],
    [{ text: 'wait', voicedMs: 300, agentSaid: 'please wait a moment' }, 'interrupts'],
  ]
  for (const [given, verdict] of cases)
    assert.equal(judgeOverlap({ ...overlap, ...given }), verdict, JSON.stringify(given))
})
