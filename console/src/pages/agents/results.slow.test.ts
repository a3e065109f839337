import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createReceptionist, ended, place } from '../../../../server/testing/calls.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, screens, skip, startBrowser } from '../../../testing/browser.ts'

suite('memory and results', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser()
  const from = '+12025550178'

  test('results are set up on the agent and shown at the conversation', async () => {
    const org = await organization()
    const agentId = await createReceptionist(org)
    const [channel] = (await org.call('GET', 'channels')).body.data
    await org.call('PATCH', `channels/${channel.id}`, { agent_id: agentId })
    const { page, assertAccessible, assertFits, close } = await signIn(org, `/agents/${agentId}`)
    const section = page.getByRole('region', { name: 'Results' })
    await section.getByRole('button', { name: 'Add property' }).click()
    await section.getByLabel('Name of property 1').fill('city')
    await section.getByRole('button', { name: 'Add contact field' }).click()
    assert.equal(await section.getByLabel('Field for city').inputValue(), 'custom_fields.city')
    await section.getByRole('button', { name: 'Add criterion' }).click()
    await section.getByLabel('Name', { exact: true }).fill('Hours told')
    await section.getByRole('button', { name: 'Add disposition' }).click()
    await section.getByLabel('Name', { exact: true }).last().fill('Sunday')
    await section.getByLabel('Applies when').fill('The contact asked about Sunday')
    await assertAccessible()
    await picture(page, 'agent-results')
    await assertFits()
    await page.getByRole('button', { name: 'Save' }).click()
    let results: Record<string, unknown> = {}
    await until(async () => {
      results = (await org.call('GET', `agents/${agentId}`)).body.agent_config.results
      return results.extract !== null
    })
    assert.deepEqual(results, {
      extract: { type: 'object', properties: { city: { type: 'string' } } },
      contact_fields: [{ property: 'city', field: 'custom_fields.city', overwrite: false }],
      success_criteria: [{ name: 'Hours told', description: '' }],
      dispositions: [{ name: 'Sunday', description: 'The contact asked about Sunday' }],
    })

    const text = 'My city is Lisbon. Are you open on Sunday?'
    await org.call('POST', 'simulator/messages', { from, name: 'Ines', text })
    let ticketId = ''
    await until(async () => {
      ticketId = (await org.call('GET', 'inbox/tickets')).body.inboxes[0]?.id ?? ''
      return ticketId !== ''
    })
    await org.call('PATCH', `inbox/tickets/${ticketId}`, { status: 'closed' })
    await until(async () => (await org.call('GET', `inbox/tickets/${ticketId}/analysis`)).status === 200)
    await page.goto(new URL(`/inbox/${ticketId}`, page.url()).href)
    const panel = page.getByRole('complementary', { name: 'About Ines' })
    await panel.getByText('Saved to the contact').waitFor()
    await panel.getByText('Sunday', { exact: true }).waitFor()
    await panel.getByText('From a script, not from a model.').waitFor()
    await assertAccessible()
    await picture(page, 'inbox-results')
    await close()
  })

  test('results are shown at the call', async () => {
    const org = await organization()
    const agentId = await createReceptionist(org)
    const agent_config = { results: { success_criteria: [{ name: 'Open' }], dispositions: [{ name: 'Hours' }] } }
    await org.call('PATCH', `agents/${agentId}`, { agent_config })
    const metadata = { caller_script: ['Hello. What are your opening hours?', 'Thank you, goodbye.'] }
    const { body: call } = await place(org, { agent_id: agentId, to_number: '+12025550110', metadata })
    await ended(org, call.id)
    for (const [name, screen] of screens) {
      const { page, assertAccessible, assertFits, close } = await signIn(org, `/calls/${call.id}`, screen)
      await page.getByRole('heading', { name: 'Results' }).waitFor()
      await page.getByText('Success criteria').waitFor()
      await assertAccessible()
      await assertFits()
      await picture(page, `call-results-${name}`)
      await close()
    }
  })
})
