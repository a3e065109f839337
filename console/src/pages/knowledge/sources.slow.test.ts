import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startWebsite } from '../../../../server/testing/website.ts'
import { picture, skip, startBrowser } from '../../../testing/browser.ts'

const phone = { viewport: { width: 390, height: 844 } }
const text = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body })

suite('sources of knowledge', { skip }, async () => {
  if (skip) return
  const { organization, signIn } = await startBrowser({
    app: { settings: { OUTBOUND_ALLOW: ['127.0.0.1'], CRAWL_DELAY_MS: 0 } },
  })

  test('a new user adds an FAQ, edits it, imports a CSV file, adds a website and replaces a file', async () => {
    const juniper = await organization({ name: 'Juniper Dental' })
    const window = await signIn(juniper, '/knowledge')
    const { page } = window
    await page.getByRole('tab', { name: 'FAQs' }).click()
    await page.getByText('No FAQs yet').waitFor()
    await window.assertAccessible()
    await page.getByRole('button', { name: 'New FAQ' }).first().click()
    await page.getByRole('textbox', { name: 'Question' }).fill('Do you treat children?')
    await page.getByRole('textbox', { name: 'Other ways to ask it' }).fill('Kids\nPaediatric dentist')
    await page.getByRole('textbox', { name: 'Answer' }).fill('Yes, from the first tooth on.')
    await picture(page, 'faq-form')
    await page.getByRole('button', { name: 'Add FAQ' }).click()
    const row = (name: string) => page.getByRole('row').filter({ hasText: name })
    await row('Do you treat children?').getByText('Ready').waitFor()
    await page.getByRole('button', { name: 'Edit Do you treat children?' }).click()
    await page.getByRole('textbox', { name: 'Answer' }).fill('Yes, from the first birthday on.')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await row('from the first birthday on').getByText('Ready').waitFor()
    const csv = (body: string) => ({ name: 'faqs.csv', mimeType: 'text/csv', buffer: Buffer.from(body) })
    await page.setInputFiles('input[type=file]', csv('question,answer\nWhere are you?,\n'))
    await page.getByText('Could not import faqs.csv').waitFor()
    await page.setInputFiles('input[type=file]', csv('question,answer\nWhere are you?,Main Street 1\n'))
    await page.getByText('1 added, 0 updated, 0 unchanged').waitFor()
    await row('Where are you?').getByText('Ready').waitFor()
    await picture(page, 'faqs')
    await window.assertAccessible()

    const site = await startWebsite({})
    const loc = (path: string) => `<url><loc>${site.url}${path}</loc></url>`
    Object.assign(site.pages, {
      '/sitemap.xml': {
        headers: { 'content-type': 'application/xml' },
        body: `<urlset>${loc('/prices')}${loc('/gone')}</urlset>`,
      },
      '/prices': text('A check-up costs 80 dollars.'),
    })
    await page.getByRole('tab', { name: 'Websites' }).click()
    await page.getByRole('button', { name: 'Add website' }).first().click()
    await page.getByText('Sitemap', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Add website' }).click()
    await page.getByText('The address belongs to a private network').waitFor()
    await picture(page, 'website-form')
    await page.getByRole('textbox', { name: 'Address' }).fill(`${site.url}/sitemap.xml`)
    await dialog.getByRole('button', { name: 'Add website' }).click()
    await row('sitemap.xml').getByText('Up to date').waitFor()
    await picture(page, 'websites')
    await page.getByRole('link', { name: /sitemap\.xml/ }).click()
    await row('/gone').getByText('The server answered 404').waitFor()
    await page.getByRole('button', { name: 'Crawl now' }).waitFor()
    await picture(page, 'website')
    await window.assertAccessible()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete website' }).click()
    await page.getByText('No websites yet').waitFor()

    await page.getByRole('tab', { name: 'Files' }).click()
    await page.setInputFiles('input[type=file] >> nth=0', [
      { name: 'prices.md', mimeType: 'text/markdown', buffer: Buffer.from('# Prices\n\nWhitening costs 280 dollars.') },
    ])
    await row('prices.md').getByText('Ready').waitFor()
    await page.getByRole('link', { name: 'prices.md' }).click()
    await page.getByRole('button', { name: 'Replace file' }).waitFor()
    await page.setInputFiles('input[type=file]', [
      { name: 'prices-2027.txt', mimeType: 'text/plain', buffer: Buffer.from('Whitening costs 300 dollars.') },
    ])
    await page.getByRole('heading', { name: 'prices-2027.txt' }).waitFor()
    await window.assertAccessible()
    assert.deepEqual(await window.close(), ['422'])
  })

  test('on a phone the tabs and lists fit', async () => {
    const juniper = await organization()
    const faq = { question: `${'A rather long question '.repeat(8)}?`, answer: 'Yes. '.repeat(60) }
    assert.equal((await juniper.call('POST', 'knowledge-base/faqs', faq)).status, 201)
    const window = await signIn(juniper, '/knowledge/faqs', phone)
    await window.page.getByText('A rather long question').first().waitFor()
    await window.assertFits()
    await picture(window.page, 'faqs-phone')
    await window.page.getByRole('tab', { name: 'Websites' }).click()
    await window.page.getByText('No websites yet').waitFor()
    await window.assertFits()
    await picture(window.page, 'websites-phone')
    assert.deepEqual(await window.close(), [])
  })
})
