import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { textPdf, typeset } from '../../../../server/testing/pdf.ts'
import { until } from '../../../../server/testing/process.ts'
import { picture, skip, startBrowser, type Window } from '../../../testing/browser.ts'

const phone = { viewport: { width: 390, height: 844 } }

const guide = textPdf([
  typeset('Welcome to Juniper Dental. We are open from nine to five, Monday to Friday.'),
  typeset('Crowns and bridges carry a warranty of five years if you come to a check-up every six months.'),
])
const broken = guide.subarray(0, 200)
const picturesOnly = Buffer.from('\x89PNG\r\n\x1a\n')

/** Drags files onto the page and drops them. */
async function drop({ page }: Window, files: Record<string, Buffer>): Promise<void> {
  const packed = Object.entries(files).map(([name, bytes]) => ({ name, base64: bytes.toString('base64') }))
  // As a string, because this file is type-checked without DOM types.
  const dataTransfer = await page.evaluateHandle(`{
    const transfer = new DataTransfer()
    for (const { name, base64 } of ${JSON.stringify(packed)})
      transfer.items.add(new File([Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))], name))
    transfer
  }`)
  await page.dispatchEvent('body', 'dragenter', { dataTransfer })
  await page.getByText('Drop to add to the knowledge base').waitFor()
  await page.dispatchEvent('.mantine-Dropzone-root', 'drop', { dataTransfer })
}

suite('knowledge', { skip }, async () => {
  if (skip) return
  const { app, organization, signIn } = await startBrowser()

  test('documents are uploaded or rejected with a reason, searched, copied to live mode and deleted', async () => {
    const juniper = await organization({ name: 'Juniper Dental' })
    const window = await signIn(juniper, '/knowledge')
    const { page } = window
    await page.getByText('No documents yet').waitFor()
    await page.getByText('up to 25 MB each').first().waitFor()
    await window.assertAccessible()

    await drop(window, { 'guide.pdf': guide, 'broken.pdf': broken, 'photo.png': picturesOnly })
    await page.getByText('Could not upload photo.png').waitFor()
    await page.getByText('Only PDF, Word, Excel, PowerPoint, CSV').waitFor()
    await page.getByRole('button', { name: 'Dismiss the error about photo.png' }).click()
    await page.getByText('photo.png').waitFor({ state: 'detached' })
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('guide.pdf').getByText('Ready').waitFor()
    await row('broken.pdf').getByText('Failed').waitFor()
    const { documents } = (await juniper.call('GET', 'knowledge-base')).body
    const statuses = documents.map(({ file_name, status }: Record<string, string>) => [file_name, status])
    assert.deepEqual(statuses.sort(), [
      ['broken.pdf', 'failed'],
      ['guide.pdf', 'ready'],
    ])
    const { error } = documents.find(({ status }: { status: string }) => status === 'failed')
    await row('broken.pdf').getByText(error).waitFor()
    await picture(page, 'knowledge')
    await window.assertAccessible()

    await page.getByText('Failed 1').click()
    await row('guide.pdf').waitFor({ state: 'detached' })
    assert.match(page.url(), /status=failed/)
    await page.getByText('All 2').click()
    await row('guide.pdf').waitFor()

    const search = page.getByRole('textbox', { name: 'Search the documents' })
    await search.fill('How long is the warranty on a crown?')
    await search.press('Enter')
    const passage = page.getByRole('listitem').filter({ hasText: 'guide.pdf, page 2' })
    await passage.getByText('Best match, keyword match').waitFor()
    assert.deepEqual(await passage.locator('mark').allTextContents(), ['Crowns', 'warranty'])
    await picture(page, 'knowledge-search')
    await window.assertAccessible()
    await search.fill('zyzzyva quokka')
    await search.press('Enter')
    await page.getByText('No passage contains these words').waitFor()
    await search.press('Escape')

    await row('guide.pdf').getByRole('link', { name: 'guide.pdf' }).click()
    await page.getByRole('heading', { name: 'guide.pdf' }).waitFor()
    const id = documents.find(({ status }: { status: string }) => status === 'ready').id as string
    await page.getByRole('button', { name: 'Open in API' }).click()
    await page.getByText(`/api/v1/knowledge-base/${id}`).waitFor()
    await page.getByText(`await frontdesk.knowledge.getDocument('${id}')`).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Search in this document' }).fill('opening hours')
    await page.keyboard.press('Enter')
    await page.getByText('Page 1').waitFor()
    await window.assertAccessible()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'guide.pdf')

    await page.getByRole('button', { name: 'Copy to live mode' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy to live mode' }).click()
    await page.getByText('Copied guide.pdf to live mode').waitFor()
    const live = app.as((await app.key(juniper.id, { mode: 'live' })).secret)
    assert.equal((await live('GET', 'knowledge-base')).body.documents[0].file_name, 'guide.pdf')

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Agents stop using it immediately').waitFor()
    await page.getByRole('button', { name: 'Delete document' }).click()
    await row('broken.pdf').waitFor()
    await row('guide.pdf').waitFor({ state: 'detached' })
    assert.equal((await juniper.call('GET', `knowledge-base/${id}`)).status, 404)
    assert.deepEqual(await window.close(), [])
  })

  test('on a phone a file is uploaded, and the page fits', async () => {
    const juniper = await organization()
    const window = await signIn(juniper, '/knowledge', phone)
    const { page } = window
    await page.getByRole('button', { name: 'Upload documents' }).first().waitFor()
    const long = `${'a rather long name '.repeat(6)}.txt`
    await page.setInputFiles('input[type=file] >> nth=0', [
      { name: long, mimeType: 'text/plain', buffer: Buffer.from('Whitening costs 280 dollars.') },
    ])
    await page.getByText('Ready', { exact: true }).waitFor()
    await window.assertFits()
    await window.assertAccessible()
    await picture(page, 'knowledge-phone')
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete document' }).click()
    await page.getByText('No documents yet').waitFor()
    await until(async () => (await juniper.call('GET', 'knowledge-base')).body.documents.length === 0)
    // The page asks whether an uploaded document is ready, also after it was deleted.
    assert.ok((await window.close()).every((refusal) => refusal === '404'))
  })
})
