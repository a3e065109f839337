import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ok } from '../../../testing/app.ts'
import { ended } from '../../../testing/calls.ts'
import { addDocument } from '../../../testing/documents.ts'
import { startLivePhones } from '../../../testing/live-phone.ts'
import { startLlmServer } from '../../../testing/llm-server.ts'
import { until } from '../../../testing/process.ts'

/** A live phone call through the media socket. The caller presses keys, each entry is a turn. */
const llm = await startLlmServer()
llm.always.answer = { say: ['Certainly.'] }
const { newOrganization } = await startLivePhones(llm.settings)

test('on a call the model searches documents, and a question that they do not answer becomes a gap', async () => {
  const org = await newOrganization({ agent_config: { knowledge: { all: true } } })
  await addDocument(org.call, 'The sauna costs nine euros for each guest.', 'sauna.txt')
  const ring = await org.ring()
  const spoken = async () => {
    const { segments } = ok(await org.call('GET', `calls/${ring.id}/transcript`))
    return segments.filter(({ segment }: { segment: { speaker: string } }) => segment.speaker === 'agent').length
  }
  /** The caller presses a key; resolves once the agent's answer was played. */
  const turn = async (keys: string, ...planned: typeof llm.next) => {
    const before = await spoken()
    llm.next.push(...planned)
    ring.phone.press(keys)
    await until(async () => (await spoken()) > before)
  }
  const asked = llm.requests.length
  const search = { name: 'search_knowledge', arguments: JSON.stringify({ queries: ['What does the sauna cost?'] }) }
  await turn('1#', { call: [search] }, { say: ['Nine euros. [1]'] })
  // On a loaded machine a search may be late: it then finds nothing, and is no error.
  assert.match(llm.requests[asked + 1]?.body.messages.at(-1).content, /nine euros|Nothing more was found/)
  await turn('2#', { say: ['I do not know that. [0]'] })
  ring.phone.hangUp()
  const { analysis } = await ended(org, ring.id)
  assert.deepEqual(
    analysis.tool_calls.map(({ name, is_error }: { name: string; is_error: boolean }) => [name, is_error]),
    [['search_knowledge', false]],
  )
  await until(async () => ok(await org.call('GET', 'knowledge-base/gaps')).data.length > 0)
  const [gap, ...others] = ok(await org.call('GET', 'knowledge-base/gaps')).data
  assert.deepEqual([others.length, gap.question_count, gap.status], [0, 1, 'open'])
})
