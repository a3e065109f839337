import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PhraseName, Phrases } from '../../agents/config/speech-settings.ts'
import type { AgentOnCall } from './contract.ts'
import { defaultPhrase, hasPhrasesIn } from './default-phrases.ts'
import { createCallPhrases } from './phrases.ts'
import { createSilenceWatch } from './silence-watch.ts'

const names = Object.keys(Phrases.properties) as PhraseName[]
const onCall = (agent: Partial<AgentOnCall>): AgentOnCall => ({
  welcomeMessage: 'Hello.',
  language: 'en-US',
  interruptible: true,
  voicemail: 'hangup',
  ...agent,
})

test('every language has all phrases, in its own words', () => {
  for (const language of ['ar', 'de', 'es', 'fr', 'hi', 'id', 'it', 'pt']) {
    assert.ok(hasPhrasesIn(language), language)
    for (const name of names) {
      const phrase = defaultPhrase(name, `${language}-XX`)
      assert.ok(phrase.length > 2 && phrase.length < 200, `${language} ${name}`)
      assert.notEqual(phrase, defaultPhrase(name, 'en'), `${language} ${name}`)
    }
  }
  assert.equal(defaultPhrase('closing', 'fi-FI'), defaultPhrase('closing', 'en-GB'))
  assert.equal(defaultPhrase('closing', 'de-DE'), 'Vielen Dank. Auf Wiederhören.')
})

test('the agent’s own phrases win while the call is in its language', () => {
  const phrases = createCallPhrases(onCall({ phrases: { closing: 'Cheers.', hold: null } }))
  assert.deepEqual([phrases.get('closing'), phrases.get('hold')], ['Cheers.', 'One moment, please.'])
  phrases.callerSpeaks('es')
  assert.deepEqual([phrases.language(), phrases.get('closing')], ['es', 'Muchas gracias. Adiós.'])
  phrases.callerSpeaks('fi')
  assert.equal(phrases.language(), 'es', 'there are no phrases in Finnish')
  phrases.callerSpeaks('en')
  assert.deepEqual([phrases.language(), phrases.get('closing')], ['en-US', 'Cheers.'])
})

test('a voicemail message is the agent’s own, or the welcome message and a request to call back', () => {
  assert.equal(createCallPhrases(onCall({ phrases: { voicemail: 'Call me.' } })).voicemail(), 'Call me.')
  assert.match(createCallPhrases(onCall({})).voicemail(), /^Hello\. We are sorry .* Please call us back\. Goodbye\.$/)
  assert.match(createCallPhrases(onCall({ welcomeMessage: '', language: 'de' })).voicemail(), /^Leider/)
})

test('an agent that gives up announces what happens next', () => {
  const givingUp = (given: NonNullable<AgentOnCall['givingUp']>) =>
    createCallPhrases(onCall({ givingUp: given })).givingUp()
  assert.match(givingUp({ transferTo: '+12025550142', promisesCallBack: true }), /connecting you/)
  assert.match(givingUp({ promisesCallBack: true }), /call you back/)
  assert.match(givingUp({}), /try again later/)
})

test('reminders come within the silence timeout and do not delay it', () => {
  const watch = createSilenceWatch({ silenceTimeoutMs: 30_000, silenceReminders: { count: 3, everyMs: 10_000 } }, 0)
  const due: string[] = []
  const run = (from: number, to: number, isSilent: boolean) => {
    for (let now = from; now <= to; now += 1_000) {
      const what = watch.tick(now, isSilent)
      if (what) due.push(`${what} ${now / 1000}`)
    }
  }
  run(1_000, 12_000, true)
  run(13_000, 15_000, false)
  run(16_000, 45_000, true)
  assert.deepEqual(due, ['remind 10', 'remind 25', 'remind 35', 'end 45'])
  const without = createSilenceWatch({ silenceTimeoutMs: 5_000, silenceReminders: { count: 2, everyMs: 10_000 } }, 0)
  assert.deepEqual([without.tick(4_999, true), without.tick(5_000, true)], [undefined, 'end'])
})
