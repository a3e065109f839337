import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { newId } from '../../../platform/ids.ts'
import { ok, sharedTestApp } from '../../../testing/app.ts'
import { campaigner } from '../../../testing/campaigns.ts'
import { assertAccepted } from '../../../testing/conversations.ts'
import { fileThatStarts, gif, mp4, pdf, png } from '../../../testing/sample-files.ts'
import { type Upload, upload } from '../../../testing/uploads.ts'

const app = await sharedTestApp()
await app.listen()
const acme = await campaigner(app)
const globex = await app.organization()
const { call, channelId } = acme
const send = (parts: Upload, fields: object = {}) =>
  upload(call, 'templates/media', { ...parts, fields: { channel_id: channelId, ...fields } })
const stored = async () =>
  (
    await app.database.forTenant(acme.scope).one(Type.Object({ n: Type.Integer() }))`
    select count(*)::integer as n from template_media`
  ).n

test('a picture is stored and uploaded as a sample, becomes a header, and is sent to many', async () => {
  const media = ok(await send({ file: png, fileName: 'spring.png' }), 201)
  assert.deepEqual(
    [media.format, media.mime_type, media.file_name, media.size_bytes],
    ['IMAGE', 'image/png', 'spring.png', png.length],
  )
  assert.match(media.handle, /^4::/)
  const download = await call('GET', `templates/media/${media.id}/download`)
  assert.deepEqual([download.status, download.headers['content-type']], [200, 'image/png'])
  assert.equal((await globex.call('GET', `templates/media/${media.id}/download`)).status, 404)

  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [media.handle] } }
  const message_template_id = await acme.template({ components: [header, { type: 'BODY', text: 'We have plants.' }] })
  assert.deepEqual(ok(await call('GET', `templates/${message_template_id}`)).sample_files, { [media.handle]: media.id })
  const ids = await acme.contacts(3)
  const { id } = await acme.send(ids, { message_template_id, template_variables: { header: media.id } })
  const done = await acme.until(id, ({ status }) => status === 'completed')
  assert.equal(done.sent_count, 3, JSON.stringify(await acme.deliveries(id)))
  const uploads = await app.database.forTenant(acme.scope).all(Type.Object({ platform_media_id: Type.String() }))`
    select platform_media_id from template_media_uploads where media_id = ${media.id}`
  assert.equal(uploads.length, 1)

  const { id: ticketId } = ok(await call('POST', 'inbox/tickets', { contact_id: ids[0] }), 201)
  const reply = (value: string) =>
    call('POST', `inbox/messages/${ticketId}`, {
      template_id: message_template_id,
      template_variables: { header: value },
    })
  const sent = ok(await reply(media.id), 201)
  assert.deepEqual(sent.payload.template.files, { header: 'image' })
  assertAccepted(sent)
  assertAccepted(ok(await reply('https://example.com/a.png'), 201))
  assertAccepted(ok(await reply(uploads[0]?.platform_media_id as string), 201))
  for (const answer of [
    await reply(newId()),
    await call('POST', 'campaigns/preflight', {
      name: 'x',
      chat_phone_number_id: channelId,
      message_template_id,
      template_variables: { header: newId() },
    }),
  ])
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['body', 'template_variables', 'header']])
})

test('videos and PDFs are taken, and a file that is only sent has no handle', async () => {
  assert.equal(ok(await send({ file: mp4, fileName: 'a.mp4' }), 201).format, 'VIDEO')
  assert.equal(ok(await send({ file: pdf, fileName: 'a.pdf' }), 201).format, 'DOCUMENT')
  assert.equal(ok(await send({ file: png, fileName: 'a.png' }, { sample: 'false' }), 201).handle, null)
})

test('what the platform would refuse is refused before it is uploaded', async () => {
  const before = await stored()
  const faultOf = async (answer: ReturnType<typeof send>) => {
    const { status, body } = await answer
    return [status, body.detail[0]?.loc?.join('.') ?? body.detail]
  }
  assert.deepEqual(await faultOf(send({ file: gif, fileName: 'a.gif' })), [422, 'body.file'])
  assert.deepEqual(await faultOf(send({ file: '', fileName: 'a.png' })), [422, 'body.file'])
  assert.deepEqual(await faultOf(send({})), [422, 'body.file'])
  assert.deepEqual(await faultOf(send({ file: png }, { channel_id: 'mine' })), [422, 'body.channel_id'])
  assert.deepEqual(await faultOf(send({ file: png }, { sample: 'maybe' })), [422, 'body.sample'])
  assert.equal((await send({ file: png }, { channel_id: newId() })).status, 404)
  const large = fileThatStarts('\x89PNG\r\n\x1a\n', 5 * 1024 * 1024 + 1)
  assert.equal((await send({ file: large, fileName: 'a.png' })).status, 413)
  assert.equal((await call('POST', 'templates/media', {})).status, 415)
  assert.equal(await stored(), before)
})

test('a platform that cannot be reached answers 502, and nothing is stored', async () => {
  const before = await stored()
  await app.control('POST', 'outage', { kind: 'error', on: 'media', requests: 1 })
  const answer = await send({ file: png, fileName: 'a.png' })
  assert.equal(answer.status, 502)
  assert.match(answer.body.detail, /did not take the sample/)
  assert.equal(await stored(), before)
})

test('files are listed and deleted, with their template or by themselves, but not while a campaign needs them', async () => {
  const org = await campaigner(app)
  const add = async (fields: object = {}) =>
    ok(
      await upload(org.call, 'templates/media', {
        file: png,
        fileName: 'a.png',
        fields: { channel_id: org.channelId, ...fields },
      }),
      201,
    )
  const listed = async () => ok(await org.call('GET', 'templates/media')).data.map(({ id }: { id: string }) => id)
  const [sample, sent] = [await add(), await add({ sample: 'false' })]
  const { data, total_count } = ok(await org.call('GET', 'templates/media?limit=1'))
  assert.deepEqual([data, total_count], [[sent], 2])
  assert.deepEqual((await globex.call('GET', 'templates/media')).body.data, [])

  const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [sample.handle] } }
  const members = { components: [header, { type: 'BODY', text: 'We have plants.' }] }
  const [message_template_id, second] = [await org.template(members), await org.template(members)]
  const later = new Date(Date.now() + 3600_000).toISOString()
  const scheduled = await org.send(await org.contacts(1), {
    message_template_id,
    template_variables: { header: sent.id },
    scheduled_at: later,
  })
  const remove = (id: string) => org.call('DELETE', `templates/media/${id}`)
  assert.equal((await remove(sent.id)).status, 409)
  assert.equal((await globex.call('DELETE', `templates/media/${sent.id}`)).status, 404)
  assert.equal((await remove(newId())).status, 404)
  assert.equal((await remove('x')).status, 404)
  ok(await org.call('POST', `campaigns/${scheduled.id}/cancel`))
  ok(await remove(sent.id))
  assert.equal((await org.call('GET', `templates/media/${sent.id}/download`)).status, 404)

  ok(await org.call('DELETE', `templates/${message_template_id}`))
  assert.deepEqual(await listed(), [sample.id])
  ok(await org.call('DELETE', `templates/${second}`))
  assert.deepEqual(await listed(), [])
})
