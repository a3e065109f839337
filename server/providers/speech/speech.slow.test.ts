import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, test } from 'node:test'
import { createOutboundHttp } from '../../platform/outbound-fetch.ts'
import { until } from '../../testing/process.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'
import { wordErrors } from '../../testing/word-errors.ts'
import { createFramer, silence, toSamples } from './audio.ts'
import { bytesPerMs, type Encoding, SpeechError, type Transcriber, type Voice } from './contract.ts'
import { createDeepgram } from './deepgram.ts'
import { createElevenLabs } from './elevenlabs.ts'
import { createLocalVoice } from './local-voice.ts'
import { inTodaysSpelling } from './moonshine.ts'
import { createOfflineSpeech } from './offline.ts'
import { createOpenAiTranscriber, createOpenAiVoice } from './openai-compatible.ts'
import { createSpeechPool } from './speech-pool.ts'

const server = await startSpeechServer()
const http = createOutboundHttp()
const offline = createOfflineSpeech()
after(async () => {
  await offline.close()
  await http.close()
})
const v1 = `${server.url}/v1`
const key = 'sk-very-secret'
const openai = { http, baseUrl: v1, apiKey: key, model: 'm-1' }
const elevenlabs = createElevenLabs({ http, baseUrl: server.url, apiKey: key, model: 'eleven_flash_v2_5' })
const deepgram = createDeepgram({ baseUrl: server.url, apiKey: key, model: 'nova-3' })

const encodings: Encoding[] = ['mulaw-8000', 'pcm16-16000']
const signal = new AbortController().signal
const speak = async (voice: Voice, text: string, encoding: Encoding, name = 'slt', given = signal) =>
  Buffer.concat(await Array.fromAsync(voice.speak(text, { encoding, voice: name, language: 'en-US', signal: given })))
const loudness = (audio: Uint8Array, encoding: Encoding) => {
  const samples = toSamples(audio, encoding)
  return Math.sqrt(samples.reduce((sum, s) => sum + s * s, 0) / samples.length)
}
const isFault =
  (verdict: string, message = /./) =>
  (error: unknown) =>
    error instanceof SpeechError &&
    error.verdict === verdict &&
    message.test(error.message) &&
    !JSON.stringify(error).includes(key)

const allVoices: Record<string, Voice> = {
  'the local voice': offline.voice,
  'an OpenAI-compatible voice': createOpenAiVoice(openai),
  ElevenLabs: elevenlabs,
}
for (const [name, voice] of Object.entries(allVoices))
  describe(name, () => {
    test('speaks in the requested encoding, longer for more text', async () => {
      for (const encoding of encodings) {
        const short = await speak(voice, 'Good morning.', encoding)
        const long = await speak(voice, 'Good morning, and welcome to our office.', encoding)
        assert.ok(long.length > 1.5 * short.length)
        const ms = short.length / bytesPerMs[encoding]
        assert.ok(ms > 500 && ms < 3_000, `${ms}`)
        assert.ok(loudness(short, encoding) > 500)
      }
    })

    test('stops when aborted', async () => {
      const reason = new Error('no longer wanted')
      await assert.rejects(speak(voice, 'Hello.', 'mulaw-8000', 'slt', AbortSignal.abort(reason)), reason)
      const abort = new AbortController()
      const speaking = speak(voice, 'This would take a while to say. '.repeat(20), 'mulaw-8000', 'slt', abort.signal)
      abort.abort(reason)
      await assert.rejects(speaking, reason)
      assert.ok((await speak(voice, 'Hello.', 'mulaw-8000')).length > 0)
    })
  })

const turns = ['I would like to send a letter', 'What is the price of a stamp']
const transcribers: Record<string, Transcriber> = {
  'the local recogniser': offline.transcriber,
  Deepgram: deepgram,
  'an OpenAI-compatible transcriber': createOpenAiTranscriber(openai),
}
for (const [name, transcriber] of Object.entries(transcribers))
  describe(name, () => {
    for (const encoding of encodings)
      test(`turns speech into text, a turn at a time, ${encoding}`, async () => {
        const partials: string[] = []
        const stream = transcriber.open({ encoding, language: 'en-US', onPartial: (t) => partials.push(t), signal })
        assert.equal(await stream.finish(signal), '')
        for (const turn of turns) {
          server.texts.splice(0, 9, turn)
          for (const frame of createFramer(encoding)(await speak(offline.voice, turn, encoding, 'rms')))
            stream.write(frame)
          stream.pause()
          const text = await stream.finish(signal)
          assert.ok(wordErrors(turn, text) <= 0.2, text)
        }
        assert.ok(partials.every((text) => text.length > 0))
        stream.close()
      })

    test('drops frames that were not a turn, and stops when aborted', async () => {
      server.sockets.length = 0
      const stream = transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
      server.texts.splice(0, 9, 'never mind', turns[0] as string)
      const audio = await speak(offline.voice, turns[0] as string, 'mulaw-8000', 'rms')
      stream.write(await speak(offline.voice, 'Something else altogether.', 'mulaw-8000', 'rms'))
      if (transcriber === deepgram) await until(async () => (server.sockets.at(-1)?.audio.length ?? 0) > 0)
      stream.discard()
      if (transcriber !== deepgram) server.texts.shift()
      stream.write(audio)
      assert.ok(wordErrors(turns[0] as string, await stream.finish(signal)) <= 0.2)
      const reason = new Error('no longer wanted')
      stream.write(audio)
      await assert.rejects(stream.finish(AbortSignal.abort(reason)), reason)
      stream.close()
    })
  })

describe('hosted speech', () => {
  test('sends the request that its provider expects', async () => {
    server.requests.length = 0
    await speak(elevenlabs, 'Hi.', 'mulaw-8000', 'voice/1')
    await speak(createOpenAiVoice(openai), 'Hi.', 'mulaw-8000', 'alloy')
    const stream = createOpenAiTranscriber(openai).open({
      encoding: 'mulaw-8000',
      language: 'de-AT',
      onPartial() {},
      signal,
    })
    server.texts.splice(0, 9, 'hallo')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.finish(signal), 'hallo')
    const [eleven, speech, transcription] = server.requests
    assert.equal(eleven?.path, '/v1/text-to-speech/voice%2F1/stream')
    assert.equal(eleven?.headers['xi-api-key'], key)
    assert.deepEqual(JSON.parse(String(eleven?.body)), {
      text: 'Hi.',
      model_id: 'eleven_flash_v2_5',
      language_code: 'en',
    })
    assert.equal(speech?.headers.authorization, `Bearer ${key}`)
    assert.deepEqual(JSON.parse(String(speech?.body)), {
      model: 'm-1',
      voice: 'alloy',
      input: 'Hi.',
      response_format: 'pcm',
    })
    const form = await new Response(new Uint8Array(transcription?.body as Buffer), {
      headers: { 'content-type': transcription?.headers['content-type'] as string },
    }).formData()
    assert.deepEqual([form.get('model'), form.get('language')], ['m-1', 'de'])
    assert.equal((await (form.get('file') as File).bytes()).length, 44 + 160)
  })

  test('the caller’s language is detected where the provider can', async () => {
    server.requests.length = 0
    Object.assign(server.languages, { deepgram: ['es', 'en'], openai: 'spanish' })
    for (const transcriber of [deepgram, createOpenAiTranscriber({ ...openai, model: 'whisper-1' })]) {
      const detected: string[] = []
      server.texts.splice(0, 9, 'hola buenas')
      const onLanguage = (language: string) => detected.push(language)
      const stream = transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, onLanguage, signal })
      stream.write(silence('mulaw-8000'))
      assert.equal(await stream.finish(signal), 'hola buenas')
      assert.deepEqual([...new Set(detected)], ['es'], transcriber.provider)
      stream.close()
    }
    Object.assign(server.languages, { deepgram: undefined, openai: undefined })
    const [listen, transcription] = server.requests
    assert.equal(listen?.query.language, 'multi')
    assert.doesNotMatch(String(transcription?.body), /name="language"/)
    assert.match(String(transcription?.body), /verbose_json/)
  })

  test('Deepgram gets one socket per call, the unchanged audio, and keep-alives', async () => {
    server.requests.length = server.sockets.length = 0
    const stream = deepgram.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
    for (const text of ['one two', 'three']) {
      server.texts.splice(0, 9, text)
      for (let i = 0; i < 5; i++) stream.write(silence('mulaw-8000'))
      assert.equal(await stream.finish(signal), text)
    }
    assert.equal(server.sockets.length, 1)
    assert.equal(Buffer.concat(server.sockets[0]?.audio ?? []).length, 10 * 160)
    const [request] = server.requests
    assert.equal(request?.headers.authorization, `Token ${key}`)
    assert.equal(request?.path, '/v1/listen')
    assert.deepEqual(
      [request?.query.encoding, request?.query.sample_rate, request?.query.model],
      ['mulaw', '8000', 'nova-3'],
    )
    // A lost socket costs the current turn; the next one opens another.
    stream.write(silence('mulaw-8000'))
    const lost = stream.finish(signal)
    server.texts.length = 0
    server.sockets[0]?.socket.terminate()
    await lost.then(
      (text) => assert.equal(text, ''),
      (error) => assert.ok(isFault('retry')(error)),
    )
    await until(async () => {
      server.texts.splice(0, 9, 'four')
      stream.write(silence('mulaw-8000'))
      return (await stream.finish(signal).catch(() => '')) === 'four'
    })
    stream.close()
    await until(async () => server.sockets.at(-1)?.messages.includes('{"type":"CloseStream"}') ?? false)
  })

  test('Deepgram transcribes at a pause, and once more only if the speaker goes on', async () => {
    server.sockets.length = 0
    const stream = deepgram.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
    const finalized = () => server.sockets[0]?.messages.filter((message) => message.includes('Finalize')).length
    server.texts.splice(0, 9, 'one two', 'three', 'four', 'five', 'six')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.pause(), 'one two')
    assert.equal(await stream.finish(signal), 'one two')
    assert.equal(finalized(), 1)
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.pause(), 'three')
    stream.write(silence('mulaw-8000'))
    assert.equal(await stream.pause(), 'three four')
    assert.equal(await stream.finish(signal), 'three four')
    assert.equal(finalized(), 3)
    // The next turn starts before the transcript of the pause has arrived.
    stream.write(silence('mulaw-8000'))
    stream.pause()?.catch(() => {})
    const finished = stream.finish(signal)
    stream.write(silence('mulaw-8000'))
    assert.equal(await finished, 'five')
    assert.equal(await stream.finish(signal), 'six')
    stream.close()
  })

  test('reports whether a retry can help, and does not leak the key', async () => {
    const body = JSON.stringify({ error: `bad key ${key}` })
    const stream = () => {
      const open = createOpenAiTranscriber(openai).open({
        encoding: 'mulaw-8000',
        language: 'en',
        onPartial() {},
        signal,
      })
      open.write(silence('mulaw-8000'))
      return open.finish(signal)
    }
    const viaDeepgram = () => {
      const open = deepgram.open({ encoding: 'mulaw-8000', language: 'en', onPartial() {}, signal })
      open.write(silence('mulaw-8000'))
      return open.finish(signal)
    }
    const ways = [
      () => speak(elevenlabs, 'Hi.', 'mulaw-8000'),
      () => speak(createOpenAiVoice(openai), 'Hi.', 'mulaw-8000'),
      stream,
      viaDeepgram,
    ]
    for (const way of ways) {
      server.faults.push({ status: 401, body })
      await assert.rejects(way(), isFault('fail', /401/))
      server.faults.push({ status: 503 })
      await assert.rejects(way(), isFault('retry', /503/))
    }
    for (const way of ways.slice(0, 3)) {
      server.faults.push('break')
      await assert.rejects(way(), isFault('retry'))
    }
    server.faults.push({ status: 200, body: '<html>' })
    await assert.rejects(stream(), isFault('fail'))
    const nowhere = createDeepgram({ baseUrl: 'http://127.0.0.1:1', apiKey: key, model: 'm' })
    const open = nowhere.open({ encoding: 'mulaw-8000', language: 'en', onPartial() {}, signal })
    open.write(silence('mulaw-8000'))
    await assert.rejects(open.finish(signal), isFault('retry'))
  })
})

describe('speech on this machine', () => {
  const processes = async (): Promise<number[]> => {
    const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ').map(Number)
    const names = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
    return children.filter((_, i) => names[i]?.includes('speech-process'))
  }

  test('survives the death of its process, and reports that a retry can help', async () => {
    const others = await processes()
    const pool = createSpeechPool({ processes: 1 })
    const voice = createLocalVoice(pool)
    await speak(voice, 'Hello.', 'mulaw-8000')
    const [pid] = (await processes()).filter((each) => !others.includes(each))
    assert.ok(pid)
    assert.doesNotMatch(await readFile(`/proc/${pid}/environ`, 'utf8'), /PATH=|SECRET|FRONTDESK/)
    const asked = speak(voice, 'A long sentence that takes a moment to be made. '.repeat(20), 'mulaw-8000')
    process.kill(pid, 'SIGKILL')
    await assert.rejects(asked, isFault('retry', /stopped/))
    assert.ok((await speak(voice, 'Hello.', 'mulaw-8000')).length > 0)
    await pool.close()
    await assert.rejects(speak(voice, 'Hello.', 'mulaw-8000'), isFault('retry', /closed/))
    assert.deepEqual(
      (await processes()).filter((each) => !others.includes(each)),
      [],
    )
  })

  test('frees memory when idle, ends stuck processes and refuses more than it can do', async () => {
    const others = await processes()
    const brief = createSpeechPool({ processes: 1, idleMs: 20 })
    await speak(createLocalVoice(brief), 'Hello.', 'mulaw-8000')
    await until(async () => (await processes()).every((pid) => others.includes(pid)))
    assert.ok((await speak(createLocalVoice(brief), 'Hello.', 'mulaw-8000')).length > 0)
    await brief.close()
    const impatient = createSpeechPool({ processes: 1, stuckMs: 1, longestQueue: 1 })
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => speak(createLocalVoice(impatient), 'Hello.', 'mulaw-8000')),
    )
    assert.ok(results.every((result) => result.status === 'rejected' && isFault('retry')(result.reason)))
    assert.match(String((results[2] as PromiseRejectedResult).reason), /Too much/)
    await impatient.close()
  })

  test('speech over the telephone is recognized', async (t) => {
    const sentences = [
      'I would like to change the date of my appointment.',
      'Can you tell me the status of my order?',
      'My parcel was damaged when it arrived yesterday.',
      'What are your opening hours on the weekend?',
      'Please cancel my subscription at the end of the month.',
      'I never received the confirmation that you promised.',
      'Is there a doctor who can see me this afternoon?',
      'The invoice shows the wrong address.',
      'How much does the express delivery cost?',
      'Could somebody call me back tomorrow morning?',
    ]
    const heard: string[] = []
    const stream = offline.transcriber.open({ encoding: 'mulaw-8000', language: 'en-US', onPartial() {}, signal })
    for (const sentence of sentences) {
      for (const frame of createFramer('mulaw-8000')(await speak(offline.voice, sentence, 'mulaw-8000', 'rms')))
        stream.write(frame)
      heard.push(await stream.finish(signal))
    }
    const rate = wordErrors(sentences.join(' '), heard.join(' '))
    t.diagnostic(`word error rate ${rate.toFixed(3)}: ${heard.join(' ')}`)
    assert.ok(rate < 0.15, heard.join(' '))
  })

  test('transcripts use modern spelling, so that rules match', () => {
    assert.equal(inTodaysSpelling('Good-by. Thank you, good-bye.'), 'Goodbye. Thank you, goodbye.')
    assert.equal(inTodaysSpelling('To-day or to-morrow, to-night?'), 'Today or tomorrow, tonight?')
    assert.equal(inTodaysSpelling('Go to day two, a stand-by flight.'), 'Go to day two, a stand-by flight.')
  })

  test('the recognizer is loaded once when a call begins', async () => {
    const pool = createSpeechPool({ processes: 1 })
    const prepare = () => pool.run({ prepare: 'recogniser' }, { urgent: false, signal })
    const first = prepare()
    // The second warm-up starts no order: it would only be in the way.
    assert.deepEqual(await prepare(), { text: '' })
    await first
    await pool.close()
  })

  test('unusual text does not fail', async () => {
    for (const text of ['', '   ', '…', '-h', '--help', 'a\0b', '☎️', '日本'])
      assert.ok((await speak(offline.voice, text, 'mulaw-8000')).length >= 0)
  })

  test('without the speech packages calls still speak and listen, and say that they are simulated', async () => {
    const bare = createOfflineSpeech({ isInstalled: () => false })
    assert.equal(bare.missing.length, 6)
    assert.equal(bare.transcriber.source, 'scripted')
    const audio = await speak(bare.voice, 'Hello there.', 'mulaw-8000')
    const detector = await bare.voiceActivity.open('mulaw-8000')
    const voiced = (bytes: Uint8Array) => {
      const frames = createFramer('mulaw-8000')(bytes)
      return frames.filter((frame) => detector.isSpeech(frame)).length / frames.length
    }
    assert.ok(voiced(silence('mulaw-8000', 8_000)) < 0.05)
    assert.ok(voiced(audio) > 0.5)
    await bare.close()
  })

  test('a voice is told from silence', async () => {
    for (const encoding of encodings) {
      const detector = await offline.voiceActivity.open(encoding)
      const voiced = (bytes: Uint8Array) => {
        const frames = createFramer(encoding)(bytes)
        return frames.filter((frame) => detector.isSpeech(frame)).length / frames.length
      }
      assert.equal(voiced(silence(encoding, 1_000 * bytesPerMs[encoding])), 0)
      assert.ok(voiced(await speak(offline.voice, 'Good morning, how are you today?', encoding)) > 0.7)
      detector.close()
      assert.equal(detector.isSpeech(silence(encoding)), false)
    }
  })
})
