import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { ok } from '../../../../server/testing/app.ts'
import { createReceptionist, ended, place } from '../../../../server/testing/calls.ts'
import { addDocument } from '../../../../server/testing/documents.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'
import { fakeMicrophone } from '../../../testing/fake-microphone.ts'

const idIn = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) as string

suite('agents', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser({
    launch: { args: await fakeMicrophone('What are your opening hours?', { pauseSeconds: 8 }) },
  })

  test('an agent is created from a starting point, edited with located errors, and deleted', async () => {
    const acme = await organization({ name: 'Juniper Dental' })
    const { page, assertAccessible, close } = await signIn(acme, '/agents')
    await page.getByText('No agents yet').waitFor()
    await assertAccessible()
    await page.getByRole('link', { name: 'New agent' }).first().click()
    await page.getByRole('button', { name: /^Support from documents/ }).click()
    assert.match(await page.getByRole('textbox', { name: 'Greeting' }).inputValue(), /the support of Juniper Dental/)
    await page.getByRole('button', { name: /^Receptionist/ }).click()
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Receptionist')
    await page.getByText('Rule 5').waitFor()
    await picture(page, 'agents-new')
    await assertAccessible()
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.getByText('Version 1, saved').waitFor()
    const id = idIn(page)
    const { body: made } = await acme.call('GET', `agents/${id}`)
    assert.deepEqual([made.name, made.agent_type, made.is_active], ['Receptionist', 'static', 'active'])
    assert.equal(made.agent_config.call_settings.rules.length, 5)
    assert.equal(made.agent_config.call_settings.fallback.then, 'handoff')

    // From rules to a model with a tool: errors appear at their fields, and nothing is saved or lost.
    await page.getByText('Language model').click()
    await page
      .getByRole('textbox', { name: 'Instructions' })
      .fill('You are the friendly front desk of a dental practice.')
    await page.getByRole('button', { name: 'Add tool' }).click()
    await page.getByLabel('Tool name').fill('find order')
    await page.getByLabel('URL', { exact: true }).fill('http://127.0.0.1:9/orders/{order_number}')
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Name of header 1').fill('authorization')
    await page.getByLabel('Value of authorization').fill('Bearer 9f8e7d6c5b4a')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('another look').waitFor()
    const toolName = page.getByLabel('Tool name')
    assert.equal(await toolName.getAttribute('aria-invalid'), 'true')
    await toolName.fill('find_order')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/address of this machine/i).waitFor()
    await page
      .getByText('{order_number} is none of the parameters')
      .or(page.getByText(/address of this machine/i))
      .first()
      .waitFor()
    await page.getByLabel('URL', { exact: true }).fill('https://api.example.com/orders/{order_number}')
    await page.getByRole('button', { name: 'Add parameter' }).click()
    await page.getByLabel('Name of parameter 1').fill('order_number')
    await picture(page, 'agents-tool')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 2').waitFor()
    const { body: changed } = await acme.call('GET', `agents/${id}`)
    assert.equal(changed.agent_type, 'prompt')
    assert.deepEqual(changed.agent_config.tools[0].parameters.required, ['order_number'])
    assert.equal(changed.agent_config.tools[0].headers.authorization, '••••5b4a')

    // An unedited secret is kept when the rest of its tool changes.
    await page.getByRole('button', { name: /^find_order GET/ }).click()
    assert.equal(await page.getByLabel('Value of authorization').inputValue(), '••••5b4a')
    await page.getByLabel('Description', { exact: true }).fill('Looks up an order by its number')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 3').waitFor()
    const { body: kept } = await acme.call('GET', `agents/${id}`)
    assert.equal(kept.agent_config.tools[0].headers.authorization, '••••5b4a')
    assert.equal(kept.agent_config.tools[0].description, 'Looks up an order by its number')
    await assertAccessible()

    // Leaving with unsaved changes asks first; a version saved elsewhere is announced and kept.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Reception')
    page.once('dialog', (dialog) => void dialog.dismiss())
    await page.getByRole('link', { name: 'Agents' }).last().click()
    assert.equal(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Reception')
    await acme.call('PATCH', `agents/${id}`, { agent_config: { language: 'en-GB' } })
    await page.getByText('Version 4 was saved in the meantime').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 5').waitFor()
    const { body: both } = await acme.call('GET', `agents/${id}`)
    assert.deepEqual([both.name, both.agent_config.language], ['Reception', 'en-GB'])

    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy to live mode' }).click()
    await page.getByRole('button', { name: 'Copy to live mode' }).click()
    await page.getByText('Copied Reception to live mode').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByText('It is not assigned to a channel.').waitFor()
    await page.getByRole('button', { name: 'Delete agent' }).click()
    await page.getByText('No agents yet').waitFor()
    assert.equal((await acme.call('GET', `agents/${id}`)).status, 404)
    assert.deepEqual(await close(), ['400'])
  })

  test('an agent answers in chat from a document, and by voice through the microphone', async () => {
    const acme = await organization()
    await addDocument(acme.call, 'Breakfast is served from seven to ten.\n', 'house-rules.txt')
    const { body: support } = await acme.call('POST', 'agents', { name: 'Support' })
    const { page, assertAccessible, close } = await signIn(acme, `/agents/${support.id}?by=text`)
    await page.getByText('house-rules.txt').waitFor()
    await page.getByLabel('Write to the agent').fill('When is breakfast served?')
    await page.getByLabel('Write to the agent').press('Enter')
    const conversation = page.getByRole('log', { name: 'Conversation' })
    await conversation.getByText('Breakfast is served from seven to ten.').waitFor()
    await conversation.getByRole('link', { name: 'house-rules.txt' }).waitFor()
    await picture(page, 'agents-chat')
    await assertAccessible()

    const receptionist = await createReceptionist(acme, { welcome: 'Hello, this is the front desk.' })
    // The microphone speaks from the start, and would cut off the greeting before its first word.
    const turn_taking = { welcome_interruptible: false }
    ok(await acme.call('PATCH', `agents/${receptionist}`, { agent_config: { turn_taking } }))
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click()
    await page.getByRole('link', { name: 'Front desk' }).click()
    await page.getByRole('button', { name: 'Start call' }).click()
    const said = page.getByRole('log', { name: 'Transcript' })
    // On a busy machine the microphone interrupts the agent; interrupted sentences count too.
    const agentSaid = (words: RegExp) => said.locator('[data-kind="agent"]').getByText(words).first()
    await agentSaid(/^Hello/).waitFor()
    await until(async () => loudness(await page.getByTestId('level-caller').getAttribute('style')) > 0.2)
    // The microphone repeats its question, because a busy machine may miss some words.
    await said
      .locator('[data-kind="caller"]:not([data-partial])')
      .getByText(/opening|hours/i)
      .first()
      .waitFor()
    await agentSaid(/^We are open/).waitFor()
    await picture(page, 'agents-talk')
    await page.getByRole('button', { name: 'Mute', exact: true }).click()
    await page.getByText('You are muted').waitFor()
    await page.getByRole('button', { name: 'Unmute' }).click()
    await assertAccessible()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await page.getByText('You hung up.').waitFor()
    await page.getByRole('link', { name: 'View call' }).click()
    await page.waitForURL(/\/calls\/[\w-]+$/)
    const call = await ended(acme, idIn(page))
    assert.deepEqual([call.agent_id, call.medium, call.ended_reason], [receptionist, 'web', 'caller_hung_up'])
    assert.ok(call.transcript.some(({ text }: { text: string }) => /opening|hours/i.test(text)))
    await page
      .getByRole('list', { name: 'Transcript' })
      .getByText(/opening|hours/i)
      .first()
      .waitFor()
    assert.deepEqual(await close(), [])
  })

  test('the starter Receptionist answers a question that comes with thanks, and goes on, in chat and on a call', async () => {
    const acme = await organization({ name: 'Juniper Dental' })
    const { page, close } = await signIn(acme, '/agents/new')
    await page.getByRole('button', { name: /^Receptionist/ }).click()
    await page.getByRole('button', { name: 'Create agent' }).click()
    await page.getByText('Version 1, saved').waitFor()
    const agent_id = idIn(page)
    await close()
    const question = 'Thank you, can I pay with a credit card?'
    const chat = ok(await acme.call('POST', `agents/${agent_id}/chat`, { message: question }))
    assert.match(chat.reply, /prices and payment/)
    assert.equal(chat.action, null)
    const other = ok(await acme.call('POST', `agents/${agent_id}/chat`, { message: 'Thanks. Do you have a sofa?' }))
    assert.match(other.reply, /^You’re welcome\. .*a colleague/)
    assert.equal(other.action, null)
    const bye = ok(await acme.call('POST', `agents/${agent_id}/chat`, { message: 'Thank you very much, goodbye.' }))
    assert.match(bye.reply, /Goodbye/)

    const metadata = { caller_script: [question, 'What are your opening hours?'] }
    const placed = await place(acme, { agent_id, to_number: '+12025550110', metadata })
    const { transcript, ended_reason } = await ended(acme, ok(placed, 201).id)
    const said = transcript.map(({ speaker, text }: { speaker: string; text: string }) => `${speaker}: ${text}`)
    const at = (line: RegExp) => said.findIndex((each: string) => line.test(each))
    assert.ok(at(/^agent: .*payment/) > 0, said.join('\n'))
    assert.ok(at(/^caller: .*hours/i) > at(/^agent: .*payment/), said.join('\n'))
    assert.ok(!['agent_ended', 'handed_off'].includes(ended_reason), ended_reason)
  })

  test('documents are chosen for an agent, and copying it to live mode says which are missing there', async () => {
    const acme = await organization()
    await addDocument(acme.call, 'The pool opens at seven.', 'hours.txt')
    const prices = await addDocument(acme.call, 'Parking costs nine euros.', 'prices.txt')
    const { body: agent } = await acme.call('POST', 'agents', { name: 'Desk' })
    const { page, assertAccessible, close } = await signIn(acme, `/agents/${agent.id}`)
    await page.getByRole('radio', { name: 'All documents (2)' }).waitFor()
    await page.getByRole('radio', { name: 'Selected documents' }).check()
    await page.getByText('Without documents or collections, the agent does not use the knowledge base.').waitFor()
    await page.getByRole('combobox', { name: 'Selected documents' }).click()
    await page.getByRole('option', { name: 'prices.txt' }).click()
    await page.keyboard.press('Escape')
    await assertAccessible()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 2').waitFor()
    const { body: saved } = await acme.call('GET', `agents/${agent.id}`)
    const knowledge = { all: false, document_ids: [prices.id], collection_ids: [] }
    assert.deepEqual(saved.agent_config.knowledge, knowledge)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Copy to live mode' }).click()
    await page.getByRole('button', { name: 'Copy to live' }).click()
    await page.getByText('Some documents are missing in live mode').waitFor()
    await page.getByText(/^prices\.txt: copy them/).waitFor()
    await close()
  })

  test('a missing microphone and a lost connection are explained', async () => {
    const acme = await organization()
    const id = await createReceptionist(acme)
    const { page, context, close } = await signIn(acme, '/agents')
    await page.addInitScript(`navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('no', sessionStorage.getItem('microphone') ?? 'NotFoundError'))`)
    await page.goto(new URL(`/agents/${id}`, page.url()).href)
    await page.getByRole('button', { name: 'Start call' }).click()
    await page.getByText('No microphone found').waitFor()
    await page.evaluate(`sessionStorage.setItem('microphone', 'NotAllowedError')`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The microphone is blocked for this page').waitFor()

    const other = await context.newPage()
    await other.routeWebSocket(/\/calls\/web\//, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        socket.send(message)
        if (typeof message === 'string' && message.includes('agent.speech_stopped')) void socket.close({ code: 4000 })
      })
    })
    await other.goto(page.url())
    await other.getByRole('button', { name: 'Start call' }).click()
    await other.getByText('The connection was lost').waitFor()
    await other.getByRole('link', { name: 'View call' }).waitFor()
    assert.deepEqual(await close(), [])
  })
})

const loudness = (style: string | null) => Number(/scaleX\(([\d.]+)/.exec(style ?? '')?.[1] ?? 0)
