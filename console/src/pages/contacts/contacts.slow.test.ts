import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { importFile } from '../../../../server/testing/imports.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

suite('contacts', { skip }, async () => {
  if (skip) return
  const { organization, signIn, address } = await startBrowser()

  test('a contact is created, found, edited, given a note and a task, and deleted', async () => {
    const home = await organization()
    const { page, assertAccessible, close } = await signIn(home, '/contacts')
    await page.getByText('No contacts yet').waitFor()
    await page.getByRole('button', { name: 'New contact' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel('Phone number').fill('12')
    await page.keyboard.press('Enter')
    await page.getByText('Not a possible phone number').waitFor()
    await assertAccessible()
    await page.getByLabel('Phone number').fill('+1 415 555 0142')
    await page.getByRole('dialog').getByLabel('Tags').fill('vip')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByLabel('Field name').fill('rank')
    await page.getByLabel('Value of rank').fill('Rear admiral')
    await page.getByRole('button', { name: 'Create contact' }).click()
    await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()
    assert.equal(page.url(), `${address}/contacts`)
    const [contact] = (await home.call('GET', 'contacts')).body.data
    assert.deepEqual(
      [contact.name, contact.phone_number, contact.tags, contact.custom_fields],
      ['Grace Hopper', '+14155550142', ['vip'], { rank: 'Rear admiral' }],
    )

    // A page past the end of the list says so.
    await page.goto(`${address}/contacts?after=${contact.id}&page=2`)
    await page.getByText('This page is past the end of the list').waitFor()
    await page.getByRole('button', { name: 'Go to the first page' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor()

    await home.call('POST', 'contacts', { phone_number: '+14155550143', name: 'Somebody Else' })
    // The explanation opens in the list without opening the contact. Old addresses lead to the filter of today.
    await page.goto(`${address}/contacts?ai_handling=true&stage=new`)
    await page.waitForURL(/\?stage=new&handled_by=ai$/)
    await page.getByText('No matching contacts').waitFor()
    await page.goto(`${address}/contacts?ai_handling=false`)
    await page.waitForURL(/\?handled_by=person$/)
    await page.goto(`${address}/contacts?handled_by=no_one`)
    await page
      .getByRole('row', { name: /Grace Hopper/ })
      .getByRole('button', { name: 'No one' })
      .click()
    const why = page.getByText('Handed off to AI, but no agent is active right now.').filter({ visible: true })
    await why.click()
    await assertAccessible()
    await picture(page, 'contacts-no-one')
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'hidden' })
    await page.goto(`${address}/contacts`)
    await page.getByLabel('Search contacts').fill('hopp')
    await page.waitForURL(/search=hopp/)
    await page.getByText('1–1 of 1').waitFor()
    await assertAccessible()
    await page.getByRole('link', { name: 'Grace Hopper' }).click()

    await page.getByRole('heading', { name: 'Grace Hopper', level: 1 }).waitFor()
    await page.getByText('Rear admiral').waitFor()
    await page.getByText('Contact created').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Phone number').fill('+1 415 555 0143')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Another contact already has this phone number.').waitFor()
    await form.getByLabel('Phone number').fill('+1 415 555 0142')
    await form.getByLabel('Notes').fill('Prefers mornings')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Prefers mornings').waitFor()

    await page.getByLabel('Note', { exact: true }).fill('Asked for nanoseconds')
    await page.keyboard.press('Control+Enter')
    const timeline = page.getByRole('region', { name: 'Today' })
    await timeline.getByText('Asked for nanoseconds').waitFor()
    // No agent answers. The page says why, also on touch screens and to screen readers.
    await page.getByRole('button', { name: 'No one' }).click()
    await page.getByText('Handed off to AI, but no agent is active right now.').waitFor()
    await assertAccessible()
    await picture(page, 'contact-no-one')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Take over' }).click()
    await timeline.getByText('Handed off to a person').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await timeline.getByText('Handed off to AI').waitFor()
    assert.equal((await home.call('GET', `contacts/${contact.id}`)).body.ai_handling, true)
    await page.getByRole('button', { name: 'Allowed marketing' }).click()
    await page.getByRole('menuitem', { name: /^Opt out/ }).click()
    await page.getByRole('button', { name: 'Opted out of marketing' }).waitFor()
    assert.ok((await home.call('GET', `contacts/${contact.id}`)).body.opted_out_at)

    await page.getByRole('group', { name: 'Show only' }).getByText('Notes').click()
    await page.waitForURL(/show=notes/)
    await timeline.getByText('Contact created').waitFor({ state: 'detached' })
    await timeline.getByText('Asked for nanoseconds').waitFor()
    await page.reload()
    await timeline.getByText('Asked for nanoseconds').waitFor()
    assert.equal(await timeline.getByText('Contact created').count(), 0, 'the filter is in the address')

    await page.getByRole('button', { name: 'New task' }).click()
    await page.getByLabel('Title').fill('Send a wire')
    await page.keyboard.press('Enter')
    await page.getByText('Task created').waitFor()
    await page.getByRole('tab', { name: 'Tasks' }).click()
    await page.getByRole('button', { name: 'Send a wire', exact: true }).waitFor()
    await assertAccessible()
    await picture(page, 'contact')
    assert.equal((await home.call('GET', `crm/tasks?contact_id=${contact.id}`)).body.data[0].title, 'Send a wire')

    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete contact' }).click()
    await page.getByText('all tasks, conversations and messages are deleted too').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Delete contact' }).isDisabled(), true)
    await page.getByLabel(/Type delete/).fill('delete')
    await page.getByRole('button', { name: 'Delete contact' }).click()
    await page.getByText('Deleted Grace Hopper').waitFor()
    await page.getByRole('link', { name: 'Somebody Else' }).waitFor()
    assert.equal(page.url(), `${address}/contacts`)
    assert.equal((await home.call('GET', `contacts/${contact.id}`)).status, 404)
    await page.goto(`${address}/contacts/${contact.id}`)
    await page.getByText('Contact not found').waitFor()
    assert.deepEqual(await close(), ['404', '409', '422'])
  })

  test('selected contacts are tagged and moved together, with undo', async () => {
    const home = await organization()
    const make = (name: string, n: number) =>
      home.call('POST', 'contacts', { phone_number: `+1415555020${n}`, name, tags: ['old'] })
    for (const [n, name] of ['Ada', 'Bob', 'Cleo'].entries()) await make(name, n)
    const all = async () => (await home.call('GET', 'contacts')).body.data
    const { page, assertAccessible, close } = await signIn(home, '/contacts')
    await page.getByLabel('Select Ada').check()
    await page.getByLabel('Select Cleo').check()
    await page.getByText('2 selected').waitFor()
    await assertAccessible()
    await page.getByRole('button', { name: 'Add tags' }).click()
    await page.getByRole('dialog').getByLabel('Tags').fill('spring')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('2 contacts tagged').waitFor()
    const tags = async () =>
      Object.fromEntries((await all()).map((each: { name: string; tags: string[] }) => [each.name, each.tags]))
    assert.deepEqual(await tags(), { Ada: ['old', 'spring'], Bob: ['old'], Cleo: ['old', 'spring'] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    assert.deepEqual(await tags(), { Ada: ['old'], Bob: ['old'], Cleo: ['old'] })

    await page.getByLabel('Select all on this page').check()
    await page.getByRole('button', { name: 'Set stage' }).click()
    await page.getByRole('menuitem', { name: 'Customer' }).click()
    await page.getByText('3 contacts moved').waitFor()
    assert.deepEqual(
      (await all()).map(({ stage }: { stage: string }) => stage),
      ['customer', 'customer', 'customer'],
    )

    await page.getByRole('button', { name: 'Choose columns' }).click()
    await page.getByRole('checkbox', { name: 'Created' }).check()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Created' }).waitFor()
    assert.deepEqual(await close(), [])
  })

  test('the examples of columns are what the import reads', async () => {
    const { page, close } = await signIn(await organization(), '/contacts/import')
    // In windows-1251, with more commas than semicolons in the header.
    const header = 'phone;"name, first, last";city\n'
    const name = Buffer.from('c0edede020cfe5f2f0eee2e0', 'hex')
    const row = Buffer.concat([Buffer.from('+14155550100;'), name, Buffer.from(';Omsk\n')])
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.concat([Buffer.from(header), row]),
    })
    await page.getByRole('cell', { name: 'Анна Петрова' }).waitFor()
    await page.getByRole('cell', { name: 'Omsk' }).waitFor()
    await page.getByText('Read as windows-1251.').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('a file is checked, corrected, imported and exported', async () => {
    const home = await organization()
    await home.call('POST', 'contacts', { phone_number: '+14155550301', name: 'Already here' })
    const rows = ['+14155550301,Already here,x', '12,Too short,x', '+14155550302,Good one,a']
    for (let n = 0; n < 600; n++) rows.push(`+1212${4_000_000 + n},Person ${n},city ${n % 7}`)
    const file = `Kontakt,Wer,City\n${rows.join('\n')}\n`
    const { page, assertAccessible, close } = await signIn(home, '/contacts/import')
    await page.locator('input[type=file]').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(file),
    })
    await page.getByText('No column holds phone numbers').waitFor()
    await page.getByRole('cell', { name: /Already here, Too short/ }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Check again' }).isDisabled(), true)
    await page.getByRole('combobox', { name: 'Field for Kontakt' }).click()
    await page.getByRole('option', { name: 'Phone number' }).click()
    await page.getByRole('combobox', { name: 'Field for Wer' }).click()
    await page.getByRole('option', { name: 'Name', exact: true }).click()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText('Checked').first().waitFor()
    await page.getByRole('row', { name: /^3 Kontakt .*12.* is not a possible phone number/ }).waitFor()
    await page.getByText('1 number already belongs to a contact').waitFor()
    await assertAccessible()
    await picture(page, 'import-checked')
    assert.equal((await home.call('GET', 'contacts')).body.total_count, 1, 'a check writes nothing')

    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download errors' }).click()
    const errors = await readFile(await (await saving).path(), 'utf8')
    assert.match(errors, /^\ufeffrow,column,message\n3,Kontakt,/)

    // The member leaves before the response.
    const left = Promise.withResolvers<void>()
    await page.route('**/api/v1/contacts/imports', async (route) => {
      if (route.request().method() === 'POST') await left.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Import 601 contacts' }).click()
    await page.getByRole('link', { name: 'Tasks' }).first().click()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    left.resolve()
    await page.getByText('Imported people.csv').waitFor()
    assert.equal(page.url(), `${address}/tasks`)
    await page.getByText('601 created, 1 invalid rows').waitFor()
    await page.getByRole('button', { name: 'View report' }).click()
    await page.getByText('Completed').first().waitFor()
    await page.getByText('Earlier imports').waitFor()
    const { total_count } = (await home.call('GET', 'contacts')).body
    assert.equal(total_count, 602)

    await page.getByRole('link', { name: 'View contacts' }).click()
    await page.getByLabel('Search contacts').fill('Good one')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('button', { name: 'Import and export' }).click()
    const exporting = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Export matching contacts' }).click()
    const exported = (await readFile(await (await exporting).path(), 'utf8')).trim().split('\n')
    assert.equal(exported.length, 2, 'the filter holds for the export too')
    assert.match(exported[1] as string, /\+14155550302,Good one/)
    assert.deepEqual(await close(), [])
  })

  test('a thousand contacts are paged and searched, and new ones do not move the page', async () => {
    const home = await organization()
    const lines = Array.from({ length: 1000 }, (_, n) => `+1650${2_000_000 + n},Person ${n}`)
    await importFile(home.call, `phone,name\n${lines.join('\n')}\n`)
    const { page, close } = await signIn(home, '/contacts')
    await page.getByText('1–50 of 1,000').waitFor()
    await page.getByRole('link', { name: 'Person 950' }).waitFor()
    assert.equal(await page.getByRole('row').count(), 51, 'a page is a page, with its head')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51–100 of 1,000').waitFor()
    await page.getByRole('link', { name: 'Person 949' }).waitFor()
    assert.equal(await page.getByRole('row').count(), 51)
    await page.getByLabel('Search contacts').fill('person 424')
    await page.getByText('1–1 of 1').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('1–50 of 1,000').waitFor()
    const top = page.getByRole('row').nth(1)
    await top.getByText('Person 999').waitFor()

    await home.call('POST', 'contacts', { phone_number: '+14155550444', name: 'New one' })
    await page.getByRole('button', { name: 'Show 1 new contact' }).waitFor()
    assert.match(await top.innerText(), /Person 999/)
    await page.getByRole('button', { name: 'Show 1 new contact' }).click()
    await top.getByText('New one').waitFor()
    assert.deepEqual(await close(), [])
  })

  test('contacts fit a phone', async () => {
    const home = await organization()
    const name = 'Maximiliane-Alexandra von und zu Hohenlohe-Schillingsfürst'
    const { id } = (await home.call('POST', 'contacts', { phone_number: '+14155550555', name, tags: ['vip'] })).body
    const viewport = { width: 390, height: 844 }
    const { page, assertAccessible, assertFits, close } = await signIn(home, '/contacts', { viewport })
    await page.getByText(name).waitFor()
    await assertFits()
    await assertAccessible()
    await page.getByRole('button', { name: 'Select' }).click()
    await page.getByText(name).click()
    await page.getByText('1 selected').waitFor()
    await assertAccessible()
    await page.getByRole('button', { name: 'Set stage' }).click()
    await page.getByRole('menuitem', { name: 'Qualified' }).waitFor()
    await assertAccessible()
    await page.getByRole('menuitem', { name: 'Qualified' }).click()
    await page.getByText('1 contact moved').waitFor()
    assert.equal((await home.call('GET', `contacts/${id}`)).body.stage, 'qualified')
    await assertFits()
    await page.getByRole('button', { name: 'Done selecting' }).click()
    await page.getByText(name).click()
    await page.waitForURL(new RegExp(id))
    await page.getByText('Contact created').waitFor()
    await assertFits()
    await assertAccessible()

    // An upright tablet shows the table with a narrow bulk bar.
    await page.setViewportSize({ width: 800, height: 1000 })
    await page.goto(`${address}/contacts`)
    await page.getByLabel('Select all on this page').click()
    const clear = await page.getByRole('toolbar').getByRole('button', { name: 'Clear' }).boundingBox()
    assert.ok(clear && clear.x + clear.width < 800, JSON.stringify(clear))
    await page.setViewportSize({ width: 390, height: 844 })

    await page.goto(`${address}/contacts/import`)
    await page.getByText('Drop a CSV file here').waitFor()
    await until(async () => (await page.title()) === 'Import contacts · Frontdesk')
    await assertFits()
    assert.deepEqual(await close(), [])
  })
})
