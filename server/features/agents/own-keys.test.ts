import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newAgent } from '../../testing/agents.ts'
import { ok, startTestApp, type TestOrganization } from '../../testing/app.ts'
import { startCartesiaServer } from '../../testing/cartesia-server.ts'
import { addDocument } from '../../testing/documents.ts'
import { dimensions, startEmbeddingServer } from '../../testing/embedding-server.ts'
import { startLlmServer } from '../../testing/llm-server.ts'
import { person } from '../../testing/people.ts'
import { until } from '../../testing/process.ts'
import { startSpeechServer } from '../../testing/speech-server.ts'

/** Which account pays for the requests of agents, and what happens when a provider fails. */

const llm = await startLlmServer()
const speech = await startSpeechServer()
const cartesia = await startCartesiaServer()
const embeddings = await startEmbeddingServer()
const app = await startTestApp({
  settings: {
    ...llm.settings,
    ANTHROPIC_API_KEY: undefined,
    ANTHROPIC_BASE_URL: 'https://api.anthropic.com',
    ELEVENLABS_BASE_URL: speech.url,
    ELEVENLABS_API_KEY: 'eleven-of-the-installation',
    CARTESIA_BASE_URL: cartesia.url,
    // The same server as that of the openai models, as far as keys are concerned.
    OPENAI_BASE_URL: `${llm.url}/v1`,
  },
})

const newOrganization = () => app.organization({ mode: 'live' })
const chat = (org: TestOrganization, id: string) => org.call('POST', `agents/${id}/chat`, { message: 'Hi' })
const setKey = async (org: TestOrganization, provider: string, key: string) =>
  ok(await org.call('PUT', `provider-keys/${provider}`, { key }))
const lastKey = () => llm.requests.at(-1)?.headers.authorization

test('an organization’s own key is used for its models from the next request on, until it is removed', async () => {
  const [acme, globex] = [await newOrganization(), await newOrganization()]
  const [own, other] = [await newAgent(acme), await newAgent(globex)]
  ok(await chat(acme, own))
  assert.equal(lastKey(), 'Bearer sk-openai-0123456789')
  await setKey(acme, 'openai', 'sk-of-acme-1')
  const paid = ok(await chat(acme, own))
  assert.equal(lastKey(), 'Bearer sk-of-acme-1')
  assert.deepEqual(paid.usage.own_key, { input_tokens: 12, output_tokens: 7 })
  const shared = ok(await chat(globex, other))
  assert.equal(lastKey(), 'Bearer sk-openai-0123456789')
  assert.equal(shared.usage.own_key, undefined)
  await setKey(acme, 'openai', 'sk-of-acme-2')
  ok(await chat(acme, own))
  assert.equal(lastKey(), 'Bearer sk-of-acme-2')
  ok(await acme.call('DELETE', 'provider-keys/openai'))
  ok(await chat(acme, own))
  assert.equal(lastKey(), 'Bearer sk-openai-0123456789')

  const owner = await person(app, acme.id, 'owner')
  await app.database.forSystem().run`insert into operators (user_id) values (${owner.id})`
  const [month] = ok(await owner.call('GET', `operator/organizations/${acme.id}/usage?mode=live`)).data
  assert.deepEqual(
    [month.chat_input_tokens, month.chat_own_key_input_tokens, month.chat_own_key_output_tokens],
    [48, 24, 14],
  )
})

test('another node uses a new key too', async () => {
  const acme = await newOrganization()
  const agent = await newAgent(acme)
  const node = await app.node()
  const there = { ...acme, call: node.as(acme.key) }
  ok(await chat(there, agent))
  await setKey(acme, 'openai', 'sk-of-another-node')
  // A node may remember the keys for three seconds if the notification is lost.
  await until(async () => {
    ok(await chat(there, agent))
    return lastKey() === 'Bearer sk-of-another-node'
  })
})

test('an own key opens a provider that the installation has no key for', async () => {
  const acme = await newOrganization()
  const agent = await newAgent(acme, { llm_provider: 'anthropic' })
  const refused = await chat(acme, agent)
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /no key for anthropic/)
  const withServer = await app.node({ ANTHROPIC_BASE_URL: llm.url })
  await setKey(acme, 'anthropic', 'sk-ant-of-acme')
  ok(await chat({ ...acme, call: withServer.as(acme.key) }, agent))
  assert.equal(llm.requests.at(-1)?.headers['x-api-key'], 'sk-ant-of-acme')
})

test('the next model of the chain answers if one fails before its first words', async () => {
  const acme = await newOrganization()
  const models = [
    { provider: 'google', model: 'gemini-2.5-flash' },
    { provider: 'openai', model: 'gpt-spare' },
  ]
  const agent = await newAgent(acme, { llm_model: 'gpt-first', fallbacks: { models } })
  llm.next.push({ status: 400 }, { status: 401 }, { say: ['Hello from the spare.'] })
  const before = llm.requests.length
  const answer = ok(await chat(acme, agent))
  assert.equal(answer.reply, 'Hello from the spare.')
  assert.deepEqual(
    llm.requests.slice(before).map(({ url, body }) => body.model ?? url.split('/').at(-1)?.split(':')[0]),
    ['gpt-first', 'gemini-2.5-flash', 'gpt-spare'],
  )
  const metrics = (await app.call('GET', '/metrics')).text
  assert.match(metrics, /frontdesk_provider_fallbacks_total\{stage="model",from="openai",to="google"\} 1/)

  llm.next.push({ status: 400 }, { status: 401 }, { status: 403 })
  const failed = await chat(acme, agent)
  assert.deepEqual([failed.status, failed.body.upstream.code], [502, 'refused'])
  // After the first words, another model would repeat them.
  llm.next.push({ say: ['Half an', ' answer'], breakAfter: 2 })
  const asked = llm.requests.length
  assert.equal((await chat(acme, agent)).body.upstream.code, 'cut_off')
  assert.equal(llm.requests.length, asked + 1)
})

test('fallbacks and the provider’s voice are part of the configuration, and are checked', async () => {
  const acme = await newOrganization()
  const voice_settings = { provider: 'elevenlabs', provider_voice_id: 'clone1' }
  const fallbacks = { voices: [{ provider: 'openai', provider_voice_id: 'alloy', unknown: 1 }] }
  const id = await newAgent(acme, { voice_settings, fallbacks })
  const { agent_config } = ok(await acme.call('GET', `agents/${id}`))
  assert.deepEqual(agent_config.voice_settings, voice_settings)
  assert.deepEqual(agent_config.fallbacks, {
    models: [],
    transcribers: [],
    voices: [{ provider: 'openai', provider_voice_id: 'alloy' }],
  })
  const change = (config: object) => acme.call('PATCH', `agents/${id}`, { agent_config: config })
  const kept = ok(await change({ fallbacks: { transcribers: [{ provider: 'deepgram', model: 'nova-3' }] } }))
  assert.equal(kept.agent_config.fallbacks.voices.length, 1)
  assert.equal(ok(await change({ fallbacks: null })).agent_config.fallbacks.transcribers.length, 0)
  for (const config of [
    { voice_settings: { provider_voice_id: 'clone1' } },
    { voice_settings: { provider: 'acme', provider_voice_id: 'clone1' } },
    { fallbacks: { models: [{ provider: 'acme', model: 'm' }] } },
    { fallbacks: { models: [{ provider: 'openai' }] } },
    { fallbacks: { voices: Array(4).fill({ provider: 'openai' }) } },
  ])
    assert.equal((await change(config)).status, 400, JSON.stringify(config))
})

test('the voices of the account are listed, with their previews, and read once', async () => {
  const acme = await newOrganization()
  speech.requests.length = 0
  const listed = ok(await acme.call('GET', 'voices?provider=elevenlabs'))
  assert.deepEqual(
    listed.voices.map(({ id: _, ...voice }: { id: string }) => voice),
    [
      {
        name: 'Rachel',
        provider: 'elevenlabs',
        language: 'en',
        provider_voice_id: '21m00Tcm4TlvDq8ikWAM',
        description: 'Calm',
        preview_url: 'https://storage.example.com/rachel.mp3',
      },
      {
        name: 'Our own voice',
        provider: 'elevenlabs',
        language: 'multilingual',
        provider_voice_id: 'clone1',
        description: null,
        preview_url: null,
      },
    ],
  )
  assert.deepEqual(listed.providers, ['local', 'elevenlabs'])
  assert.equal(speech.requests[0]?.headers['xi-api-key'], 'eleven-of-the-installation')
  assert.equal(speech.requests.length, 2)
  assert.deepEqual(ok(await acme.call('GET', 'voices?provider=elevenlabs')), listed)
  assert.equal(speech.requests.length, 2)
  const { voices: fixed } = ok(await acme.call('GET', 'voices'))
  const rachel = fixed.find(({ name }: { name: string }) => name === 'Rachel')
  assert.equal(listed.voices[0].id, rachel.id)

  await setKey(acme, 'elevenlabs', 'eleven-of-acme')
  ok(await acme.call('GET', 'voices?provider=elevenlabs'))
  assert.equal(speech.requests[2]?.headers['xi-api-key'], 'eleven-of-acme')
})

test('a provider without a key, a refused key and a provider that fails are told apart', async () => {
  const acme = await newOrganization()
  const missing = await acme.call('GET', 'voices?provider=cartesia')
  assert.equal(missing.status, 409)
  assert.match(missing.body.detail, /no key for cartesia/)
  await setKey(acme, 'cartesia', 'sk_car_of_acme')
  cartesia.faults.push({ status: 401 })
  const refused = await acme.call('GET', 'voices?provider=cartesia')
  assert.deepEqual([refused.status, refused.body.upstream.code], [502, 'refused'])
  cartesia.faults.push({ status: 503 })
  assert.equal((await acme.call('GET', 'voices?provider=cartesia')).body.upstream.code, 'unreachable')
  const { voices } = ok(await acme.call('GET', 'voices?provider=cartesia'))
  assert.deepEqual(
    voices.map(({ name, language, provider_voice_id }: Record<string, string>) => [name, language, provider_voice_id]),
    [
      ['Ana', 'es', 'v-1'],
      ['Bruno', 'pt', 'v-2'],
    ],
  )
  assert.equal(cartesia.requests.at(-1)?.headers.authorization, 'Bearer sk_car_of_acme')
  assert.equal((await acme.call('GET', 'voices?provider=acme')).status, 422)
  const limited = app.as((await app.key(acme.id, { mode: 'live', scopes: ['contacts:read'] })).secret)
  assert.equal((await limited('GET', 'voices?provider=cartesia')).status, 403)
})

test('an own key embeds documents and questions where the embeddings server is that of openai', async () => {
  const settings = {
    EMBEDDINGS_BASE_URL: embeddings.baseUrl,
    EMBEDDINGS_API_KEY: 'embeddings-of-the-installation',
    EMBEDDINGS_MODEL: 'embed-1',
    EMBEDDINGS_DIMENSIONS: dimensions,
  }
  const same = await startTestApp({ settings: { ...settings, OPENAI_BASE_URL: embeddings.baseUrl } })
  const other = await startTestApp({ settings: { ...settings, OPENAI_BASE_URL: `${llm.url}/v1` } })
  for (const [node, expected] of [
    [same, 'Bearer sk-of-acme-embeds'],
    [other, 'Bearer embeddings-of-the-installation'],
  ] as const) {
    const acme = await node.organization({ mode: 'live' })
    await setKey(acme, 'openai', 'sk-of-acme-embeds')
    embeddings.requests.length = 0
    await addDocument(acme.call, 'Refunds take five days.', 'faq.txt')
    ok(await acme.call('POST', 'knowledge-base/search', { query: 'How long do refunds take?' }))
    assert.ok(embeddings.requests.length >= 2)
    for (const { authorization } of embeddings.requests) assert.equal(authorization, expected)
  }
})

test('a key that cannot be opened fails its own provider alone, and no other key is used in its place', async () => {
  const org = await newOrganization()
  await setKey(org, 'openai', 'sk-of-the-organization')
  await setKey(org, 'elevenlabs', 'eleven-of-the-organization')
  // As after a restored backup that was sealed with another key.
  await app.database.forSystem().run`
    update provider_keys set sealed_key = set_byte(sealed_key, 20, 255 - get_byte(sealed_key, 20))
    where organization_id = ${org.id} and provider = 'openai'`
  await setKey(org, 'cartesia', 'cartesia-of-the-organization')
  const asked = llm.requests.length
  const [broken, working] = [await newAgent(org), await newAgent(org, { llm_provider: 'google', llm_model: 'gemini' })]
  const refused = await chat(org, broken)
  assert.notEqual(refused.status, 200)
  assert.match(refused.text, /key for OpenAI cannot be opened: set it again/)
  assert.equal(llm.requests.length, asked, 'the installation’s key is not used')
  ok(await chat(org, working))
  ok(await org.call('GET', 'voices?provider=elevenlabs'))
  const tested = ok(await org.call('POST', 'provider-keys/openai/test'))
  assert.deepEqual([tested.works, /cannot be opened/.test(tested.message)], [false, true])
  await setKey(org, 'openai', 'sk-of-the-organization')
  ok(await chat(org, broken))
  assert.equal(lastKey(), 'Bearer sk-of-the-organization')
})
