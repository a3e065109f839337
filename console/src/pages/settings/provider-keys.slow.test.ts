import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startSpeechServer } from '../../../../server/testing/speech-server.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('provider keys', { skip }, async () => {
  if (skip) return
  const speech = await startSpeechServer()
  const { organization, signIn, address } = await startBrowser({
    app: { settings: { ELEVENLABS_BASE_URL: speech.url } },
  })

  test('a key is added and tested, its voices are chosen for an agent, and it is removed', async () => {
    const acme = await organization()
    const agent = (await acme.call('POST', 'agents', { name: 'Juno', agent_type: 'static', timezone: 'UTC' })).body
    const window = await signIn(acme, '/settings/provider-keys')
    const { page } = window
    await page.getByRole('button', { name: 'Add ElevenLabs key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('API key').fill('short')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('.mantine-InputWrapper-error').first().waitFor()
    await dialog.getByLabel('API key').fill('sk_9f8e7d6c5b4a3928')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('ElevenLabs accepts the key.').waitFor()
    await page.getByText('••••3928').waitFor()
    await window.assertAccessible()
    await picture(page, 'settings-provider-keys')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await window.assertFits()
    await picture(page, 'settings-provider-keys-phone')
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1440, height: 900 })
    speech.faults.push({ status: 401 })
    await page.getByRole('button', { name: 'Test ElevenLabs key' }).click()
    await page.getByText('ElevenLabs does not accept the key (401).').waitFor()

    await page.goto(`${address}/agents/${agent.id}`)
    await page.getByRole('combobox', { name: 'Voice provider' }).click()
    await page.getByRole('option', { name: 'ElevenLabs' }).click()
    await page.getByRole('combobox', { name: 'Voice', exact: true }).click()
    await page.getByRole('option', { name: 'Rachel · en' }).click()
    await page.getByRole('link', { name: 'Listen to a preview' }).waitFor()
    await page.getByRole('combobox', { name: 'Voice', exact: true }).scrollIntoViewIfNeeded()
    await picture(page, 'agent-voice-provider')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' })
    const { agent_config } = (await acme.call('GET', `agents/${agent.id}`)).body
    assert.deepEqual(agent_config.voice_settings, {
      provider: 'elevenlabs',
      provider_voice_id: '21m00Tcm4TlvDq8ikWAM',
    })

    await page.goto(`${address}/settings/provider-keys`)
    await page.getByRole('button', { name: 'Remove ElevenLabs key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Add ElevenLabs key' }).waitFor()
    // The key that was too short.
    assert.deepEqual(await window.close(), ['422'])
  })
})
