import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { newId } from '../../../../server/platform/ids.ts'
import type { TestOrganization } from '../../../../server/testing/app.ts'
import { person } from '../../../../server/testing/people.ts'
import { until } from '../../../../server/testing/process.ts'
import { pdf } from '../../../../server/testing/sample-files.ts'
import { formOf } from '../../../../server/testing/uploads.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('inbox of a team', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser()

  const ticketOf = async ({ call }: TestOrganization, search: string) =>
    (await call('GET', `inbox/tickets?search=${encodeURIComponent(search)}`)).body.inboxes[0]
  async function customerWrites(org: TestOrganization, from: string, name: string, text: string): Promise<string> {
    const answer = await org.call('POST', 'simulator/messages', { from, name, text })
    assert.ok(answer.status < 300, answer.text)
    let id: string | undefined
    await until(async () => {
      id = (await ticketOf(org, text))?.id
      return id !== undefined
    })
    return id as string
  }
  const row = (page: Page, name: string) => page.locator('[data-ticket]').filter({ hasText: name })
  const bubble = (page: Page, text: string) => page.locator('[data-message]').filter({ hasText: text })
  const queue = (page: Page, name: RegExp) =>
    page.getByRole('navigation', { name: 'Queues' }).getByRole('button', { name })

  test('queues count live; notes, saved replies, priority, tags, snooze and views', { timeout: 240_000 }, async () => {
    const org = await organization()
    const pat = await person(app, org.id, 'member', { name: 'Pat Person' })
    await org.call('POST', 'inbox/saved-replies', {
      name: 'hours',
      body: 'Hi {{contact.first_name|there}}, until six.',
    })
    const map = (await org.call('POST', 'inbox/saved-replies', { name: 'map', body: 'This way' })).body
    const form = await formOf({ file: pdf, fileName: 'plan.pdf' })
    await org.call('PUT', `inbox/saved-replies/${map.id}/attachment`, form.body, form.headers)
    const id = await customerWrites(org, '+12025550142', 'Ines Moreau', 'Is it open today?')
    const { page, assertAccessible, assertFits, close } = await signIn(org, '/inbox')
    await row(page, 'Ines Moreau').getByText('Waiting').waitFor()
    await queue(page, /^Needs a person\s*1$/).waitFor()
    assert.equal(await queue(page, /^AI/).count(), 0, 'no agent answers a channel')
    // Another customer writes: the counts follow without a reload.
    await customerWrites(org, '+12025550143', 'Bo Lind', 'I need an appointment')
    await queue(page, /^Needs a person\s*2$/).waitFor()
    await queue(page, /^All\s*2$/).waitFor()

    // A note with a mention, which the customer never gets.
    await row(page, 'Ines Moreau').click()
    await bubble(page, 'Is it open today?').waitFor()
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByLabel('Your note').pressSequentially('Ask @pa')
    await page.getByRole('option', { name: 'Pat Person' }).waitFor()
    await assertAccessible()
    await page.keyboard.press('Enter')
    await page.keyboard.type('about the holiday')
    await page.keyboard.press('Enter')
    const note = page.locator('div[data-note]').filter({ hasText: 'Ask @Pat Person about the holiday' })
    await note.first().waitFor()
    const { notes } = (await org.call('GET', `inbox/tickets/${id}/notes`)).body
    assert.deepEqual([notes.length, notes[0].mentioned_ids], [1, [pat.id]])
    assert.equal((await org.call('GET', `inbox/messages/${id}`)).body.total, 1)
    await note.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Edit note').fill('Open on the holiday too')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('div[data-note]').getByText('Open on the holiday too').waitFor()
    await picture(page, 'inbox-note')
    await assertAccessible()

    // A saved reply: its fields are filled in, and its use is counted.
    await page.getByRole('tab', { name: 'Reply' }).click()
    await page.getByLabel('Your reply').pressSequentially('/hou')
    await page.getByRole('option', { name: /hours/ }).waitFor()
    await page.keyboard.press('Enter')
    await until(async () => (await page.getByLabel('Your reply').inputValue()).startsWith('Hi {{'))
    await page.keyboard.press('Enter')
    await bubble(page, 'Hi Ines, until six.').getByRole('img', { name: 'Read' }).waitFor()
    assert.equal((await org.call('GET', 'inbox/saved-replies?search=hours')).body.data[0].use_count, 1)
    await queue(page, /^Needs a person\s*1$/).waitFor()
    await page.getByLabel('Your reply').pressSequentially('/map')
    await page.getByRole('option', { name: /map/ }).click()
    await page.getByRole('list', { name: 'Attached files' }).getByText('plan.pdf').waitFor()
    await page.keyboard.press('Enter')
    await bubble(page, 'plan.pdf').getByText('This way').waitFor()

    // Who has the conversation stands between the messages.
    await org.call('PATCH', `inbox/tickets/${id}`, { assignee_id: pat.id })
    await page.getByText('An API key assigned this to Pat Person').waitFor()

    // Priority, tags and snooze.
    await page.getByRole('button', { name: 'Priority normal' }).click()
    await page.getByRole('menuitem', { name: 'Urgent' }).click()
    await row(page, 'Ines Moreau').getByText('Urgent').waitFor()
    await page.getByRole('combobox', { name: 'Conversation tags' }).fill('billing')
    await page.keyboard.press('Enter')
    await row(page, 'Ines Moreau').getByText('billing').waitFor()
    await picture(page, 'inbox-team')
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
    await row(page, 'Ines Moreau').waitFor({ state: 'detached' })
    await queue(page, /^Snoozed\s*1$/).click()
    await row(page, 'Ines Moreau').waitFor()
    await customerWrites(org, '+12025550142', 'Ines Moreau', 'One more thing')
    await row(page, 'Ines Moreau').waitFor({ state: 'detached' })
    await queue(page, /^All\s*2$/).click()
    await row(page, 'Ines Moreau').getByText('Waiting').waitFor()

    // Filters with a name.
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Priority' }).click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    await row(page, 'Bo Lind').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save current filters' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Burning')
    await page.getByLabel('Share with all members').check()
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await queue(page, /^All/).click()
    await row(page, 'Bo Lind').waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Burning' }).click()
    await row(page, 'Bo Lind').waitFor({ state: 'detached' })
    const [view] = (await org.call('GET', 'inbox/views')).body.data
    assert.deepEqual([view.filters, view.shared], [{ queue: 'all', priority: 'urgent' }, true])
    await queue(page, /^All/).click()
    await row(page, 'Bo Lind').waitFor()
    await assertAccessible()
    await assertFits()
    assert.deepEqual(await close(), [])
  })

  test('several conversations are changed at once, and what failed stays selected', { timeout: 240_000 }, async () => {
    const org = await organization()
    for (const [i, name] of ['Ada', 'Bea', 'Cem'].entries())
      await customerWrites(org, `+1202555015${i}`, name, `Hello from ${name}`)
    const { page, assertAccessible, close } = await signIn(org, '/inbox')
    await row(page, 'Ada').waitFor()
    await page.getByRole('checkbox', { name: 'Select Ada' }).check()
    await page.getByRole('checkbox', { name: 'Select Bea' }).check()
    const tools = page.getByRole('toolbar', { name: 'Selected conversations' })
    await tools.getByText('2 selected').waitFor()
    await assertAccessible()
    await tools.getByRole('button', { name: 'Assign selected' }).click()
    await page.getByRole('menuitem', { name: 'Me', exact: true }).click()
    await page.getByText('Assigned: 2 conversations').waitFor()
    await until(async () => (await ticketOf(org, 'Ada')).assignee_id === org.ownerId)
    await queue(page, /^Mine\s*2$/).waitFor()

    await page.getByRole('checkbox', { name: 'Select Ada' }).check()
    await tools.getByRole('button', { name: 'Tag selected' }).click()
    await page.getByRole('dialog').getByLabel('Tags', { exact: true }).fill('vip')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add tags' }).click()
    // The response clears the selection; the row may show the tag before.
    await page.getByText('Tagged: 1 conversation').waitFor()
    await row(page, 'Ada').getByText('vip').waitFor()
    await page.getByRole('checkbox', { name: 'Select Cem' }).check()
    await page.getByRole('checkbox', { name: 'Select all loaded conversations' }).check()
    await tools.getByText('3 selected').waitFor()
    await picture(page, 'inbox-selected')
    await tools.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Closed: 3 conversations').waitFor()
    await queue(page, /^All\s*0$/).waitFor()
    await queue(page, /^Closed$/).click()
    await row(page, 'Cem').getByText('Closed').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a conversation is assigned to any of 150 members', { timeout: 240_000 }, async () => {
    const org = await organization()
    const ids = Array.from({ length: 150 }, newId)
    await app.database.inSystem(async (tx) => {
      await tx.run`
        insert into users (id, email, name)
        select id, 'colleague' || n || '@large.example',
          case n when 75 then 'Zora' else 'Colleague ' || lpad(n::text, 3, '0') end
        from unnest(${ids}::uuid[]) with ordinality made (id, n)`
      await tx.run`
        insert into members (organization_id, user_id, role) select ${org.id}, id, 'member' from unnest(${ids}::uuid[]) id`
    })
    const id = await customerWrites(org, '+12025550147', 'Ines Moreau', 'Is it open today?')
    const { page, assertAccessible, close } = await signIn(org, `/inbox/${id}`)
    for (const [n, name] of [
      [0, 'Colleague 001'],
      [149, 'Colleague 150'],
    ] as const) {
      await page.getByRole('button', { name: /^Assign/ }).click()
      await page.getByRole('menuitem', { name }).waitFor()
      await assertAccessible()
      await page.getByRole('menuitem', { name }).click()
      await page.getByRole('button', { name: `Assigned to ${name}` }).waitFor()
      await until(async () => (await ticketOf(org, 'Is it open')).assignee_id === ids[n])
    }
    // A letter moves to the first name that starts with it.
    await page.getByRole('button', { name: /^Assign/ }).click()
    await page.getByRole('menuitem', { name: 'Zora' }).waitFor()
    await page.locator('[role=menu]:focus-within').waitFor()
    await page.keyboard.press('z')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Assigned to Zora' }).waitFor()
    await picture(page, 'inbox-many-members')
    assert.deepEqual(await close(), [])
  })

  test('saved replies are written, found and deleted in the settings', { timeout: 240_000 }, async () => {
    const org = await organization()
    const { page, assertAccessible, assertFits, close } = await signIn(org, '/settings/saved-replies')
    await page.getByText('No saved replies').waitFor()
    await page.getByRole('button', { name: 'New saved reply' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('hours')
    await page.getByRole('textbox', { name: 'Text' }).fill('Hi {{contact.nickname}}')
    await page.getByRole('button', { name: 'Create saved reply' }).click()
    await page.getByText(/is no field of a contact/).waitFor()
    await page.getByRole('textbox', { name: 'Text' }).fill('Hi {{contact.first_name|there}}, until six.')
    await assertAccessible()
    await page.getByRole('button', { name: 'Create saved reply' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: /^hours/ }).waitFor()
    await picture(page, 'saved-replies')
    await assertFits()
    await page.getByRole('button', { name: 'Edit hours' }).click()
    await page.getByLabel('Share with all members').uncheck()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByLabel('Private').waitFor()
    const [reply] = (await org.call('GET', 'inbox/saved-replies')).body.data
    assert.equal(reply.owner_id, org.ownerId)
    await page.getByRole('button', { name: 'Delete hours' }).click()
    await page.getByRole('button', { name: 'Delete saved reply' }).click()
    await page.getByText('No saved replies').waitFor()
    assert.deepEqual(await close(), ['422'])
  })

  test('on a phone and in dark mode, the queues and a note fit', { timeout: 240_000 }, async () => {
    const org = await organization()
    const id = await customerWrites(org, '+12025550192', 'Maximiliane Freifrau von Hohenstaufen', 'Guten Tag')
    await org.call('PATCH', `inbox/tickets/${id}`, { priority: 'high', tags: ['a rather long tag for a phone', 'vip'] })
    await org.call('POST', `inbox/tickets/${id}/notes`, { body: 'Only for us: offer a discount' })
    const { page, assertAccessible, assertFits, close } = await signIn(org, '/inbox', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'dark',
    })
    await row(page, 'Maximiliane').getByText('High').waitFor()
    await queue(page, /^Needs a person\s*1$/).waitFor()
    await assertFits()
    await picture(page, 'inbox-team-phone-list')
    await assertAccessible()
    await row(page, 'Maximiliane').click()
    await page.locator('div[data-note]').getByText('Only for us').waitFor()
    await page.getByRole('tab', { name: 'Note' }).click()
    await page.getByLabel('Your note').waitFor()
    await assertFits()
    await picture(page, 'inbox-team-phone-note')
    await assertAccessible()
    assert.deepEqual(await close(), [])
  })
})
