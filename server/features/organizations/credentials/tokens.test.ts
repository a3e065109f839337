import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, createPublicKey, type JsonWebKey, sign } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import Type from 'typebox'
import { createSecretBox } from '../../../platform/secrets.ts'
import { startTestApp } from '../../../testing/app.ts'
import { person } from '../../../testing/people.ts'
import { until } from '../../../testing/process.ts'

const app = await startTestApp()
const acme = await app.organization()
const ada = await person(app, acme.id, 'owner')

const Stored = Type.Object({ id: Type.String(), sealed_private_jwk: Type.Unsafe<Buffer>({}) })
const stored = await app.database.forSystem().one(Stored)`select id, sealed_private_jwk from signing_keys`
const secrets = createSecretBox(app.settings.SECRET_KEY as string)
const privateJwk = JSON.parse(secrets.open(stored.sealed_private_jwk, `signing key ${stored.id}`)) as JWK
const privateKey = await importJWK(privateJwk, 'EdDSA')
const genuine = decodeJwt(ada.token)
const header = { alg: 'EdDSA', typ: 'JWT', kid: stored.id }
const now = Math.floor(Date.now() / 1000)

/** A token as we would sign it, except for what the test changes. */
const token = (changes: object = {}, headerChanges: object = {}, key: Parameters<SignJWT['sign']>[0] = privateKey) =>
  new SignJWT({ ...genuine, ...changes }).setProtectedHeader({ ...header, ...headerChanges }).sign(key)

const base64 = (value: object | string) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

async function refused(forged: string, why: string) {
  const answer = await app.as(forged)('GET', 'me')
  assert.equal(answer.status, 401, why)
  assert.equal(answer.body.detail, 'Unauthorized', why)
  assert.equal(answer.body.error.code, 'invalid_api_key', why)
}

test('an access token names the person and the session, for one hour, signed with EdDSA under a published key', async () => {
  assert.deepEqual(decodeProtectedHeader(ada.token), header)
  assert.equal(genuine.iss, 'frontdesk')
  assert.equal(genuine.aud, 'frontdesk')
  assert.equal(genuine.sub, ada.id)
  assert.equal((genuine.exp as number) - (genuine.iat as number), 3600)
  assert.ok(genuine.sid)
  const published = await app.call('GET', '/.well-known/jwks.json')
  assert.equal(published.status, 200)
  assert.equal(published.headers['cache-control'], 'public, max-age=300')
  assert.deepEqual(published.body.keys, [
    { kty: 'OKP', crv: 'Ed25519', x: privateJwk.x, kid: stored.id, alg: 'EdDSA', use: 'sig' },
  ])
  assert.equal((await app.as(await token())('GET', 'me')).status, 200, 'the forger of these tests does know how')
})

test('a token signed with no algorithm, or with the public key as a secret, is refused', async () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE'])
    for (const signature of ['', 'AA', ada.token.split('.')[2]])
      await refused(`${base64({ ...header, alg })}.${base64(genuine)}.${signature}`, `alg ${alg}`)

  const { keys } = (await app.call('GET', '/.well-known/jwks.json')).body
  const publicKey = createPublicKey({ key: keys[0], format: 'jwk' })
  const secretsToTry = {
    'raw key': Buffer.from(keys[0].x, 'base64url'),
    'base64url text': keys[0].x,
    'JWK text': JSON.stringify(keys[0]),
    PEM: publicKey.export({ type: 'spki', format: 'pem' }),
    DER: publicKey.export({ type: 'spki', format: 'der' }),
  }
  for (const [what, secret] of Object.entries(secretsToTry))
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
    ] as const)
      for (const said of [alg, 'EdDSA']) {
        const signed = `${base64({ ...header, alg: said })}.${base64(genuine)}`
        const signature = createHmac(hash, secret).update(signed).digest('base64url')
        await refused(`${signed}.${signature}`, `${alg} with the ${what}, said to be ${said}`)
      }
})

test('a token signed with a foreign key is refused, whatever its header claims', async () => {
  const stranger = await generateKeyPair('EdDSA', { crv: 'Ed25519' })
  const rsa = await generateKeyPair('RS256')
  const strangersJwk = { kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }
  await refused(await token({}, {}, stranger.privateKey), 'signed by a stranger')
  await refused(await token({}, { kid: 'unknown' }, stranger.privateKey), 'unknown kid')
  await refused(await token({}, { kid: 'unknown' }), 'our key under an unknown kid')
  await refused(await token({}, { kid: undefined }), 'no kid')
  await refused(await token({}, { kid: "' or 1=1 --" }, stranger.privateKey), 'an injecting kid')
  await refused(await token({}, { jwk: strangersJwk }, stranger.privateKey), 'its own jwk')
  await refused(await token({}, { jku: 'http://127.0.0.1:1/jwks' }, stranger.privateKey), 'its own jku')
  await refused(await token({}, { alg: 'RS256' }, rsa.privateKey), 'another algorithm')
  const signed = `${base64({ ...header, crit: ['new-rule'], 'new-rule': true })}.${base64(genuine)}`
  const signature = sign(null, Buffer.from(signed), createPrivateKey({ key: privateJwk as JsonWebKey, format: 'jwk' }))
  await refused(`${signed}.${signature.toString('base64url')}`, 'a critical extension that we do not know')
})

test('a token with a wrong claim is refused', async () => {
  await refused(await token({ aud: 'somebody-else' }), 'wrong audience')
  await refused(await token({ aud: undefined }), 'no audience')
  await refused(await token({ aud: ['frontdes', 'FRONTDESK'] }), 'nearly our audience')
  await refused(await token({ iss: 'https://evil.example' }), 'wrong issuer')
  await refused(await token({ iss: undefined }), 'no issuer')
  await refused(await token({ exp: now - 1 }), 'expired')
  await refused(await token({ exp: undefined }), 'no expiry')
  await refused(await token({ exp: '9999999999' }), 'an expiry that is no number')
  await refused(await token({ nbf: now + 3_600 }), 'not yet valid')
  await refused(await token({ sid: undefined }), 'no session')
  await refused(await token({ sub: undefined }), 'no subject')
})

test('a token with another person’s session is refused', async () => {
  const bob = await person(app, acme.id, 'member')
  await refused(await token({ sub: bob.id }), 'another subject')
  await refused(await token({ sid: '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d' }), 'a session that never was')
})

test('a modified token is refused', async () => {
  const [head, , signature] = ada.token.split('.')
  const bob = await person(app, acme.id, 'member')
  await refused(`${head}.${base64({ ...genuine, sub: bob.id })}.${signature}`, 'a changed payload')
  await refused(`${head}.${base64({ ...genuine, exp: now + 99_999 })}.${signature}`, 'a longer life')
  for (const malformed of [
    'a',
    'a.b',
    'a.b.c',
    '..',
    `${ada.token}.x`,
    ada.token.slice(0, -8),
    `${head}..${signature}`,
  ])
    await refused(malformed, malformed)
})

test('a token of a closed session is refused', async () => {
  const carol = await person(app, acme.id, 'member')
  assert.equal((await carol.call('GET', 'me')).status, 200)
  await carol.call('POST', 'auth/logout')
  await refused(carol.token, 'a closed session')
})

test('a key with a changed character, of another kind or in the wrong place is refused', async () => {
  const swap = (text: string, at: number) => text.slice(0, at) + (text[at] === 'a' ? 'b' : 'a') + text.slice(at + 1)
  for (const at of [12, 20, acme.key.length - 1]) await refused(swap(acme.key, at), `changed at ${at}`)
  await refused(acme.key.replace('_test_', '_live_'), 'the other mode')
  await refused(acme.key.toLowerCase(), 'another case')
  await refused(acme.key.slice(0, -1), 'too short')
  await refused(`${acme.key}x`, 'too long')
  await refused('svc_sk_test_', 'no secret')
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    acme.key,
    `Basic ${acme.key}`,
    `Bearer ${acme.key} x`,
    `Token ${acme.key}`,
  ])
    assert.equal((await app.call('GET', 'me', undefined, { authorization })).status, 401, authorization)
  assert.equal((await app.call('GET', 'me')).status, 401)
  assert.equal((await app.call('GET', `me?access_token=${acme.key}&api_key=${acme.key}`)).status, 401)
  assert.equal((await app.call('GET', 'me', undefined, { authorization: `bearer ${acme.key}` })).status, 200)
})

test('an expired key is refused', async () => {
  const { secret } = await app.key(acme.id, { expiresAt: new Date(Date.now() - 1_000).toISOString() })
  await refused(secret, 'expired')
})

test('the key of a deleted organization is refused', async () => {
  const gone = await app.organization()
  await app.database.forSystem().run`delete from organizations where id = ${gone.id}`
  await refused(gone.key, 'a deleted organization')
})

test('all nodes sign with the key that the first of them created', async () => {
  const fresh = await startTestApp()
  const nodes = await Promise.all([1, 2, 3].map(() => fresh.node()))
  const ids = new Set<string>()
  for (const node of [fresh, ...nodes])
    for (const { kid } of (await node.call('GET', '/.well-known/jwks.json')).body.keys) ids.add(kid)
  assert.equal(ids.size, 1)
  assert.equal((await (await app.node()).as(ada.token)('GET', 'me')).status, 200)
})

test('nodes that start concurrently on an empty installation create one key', async () => {
  const fresh = await startTestApp()
  await fresh.database.forSystem().run`delete from signing_keys`
  const nodes = await Promise.all([1, 2, 3, 4].map(() => fresh.node()))
  const published = await Promise.all(nodes.map((node) => node.call('GET', '/.well-known/jwks.json')))
  assert.equal(new Set(published.map(({ text }) => text)).size, 1)
  assert.equal(published[0]?.body.keys.length, 1)
})

test('after SECRET_KEY has changed a new pair signs, and tokens of the old one are still accepted', async () => {
  const changed = await app.node({ SECRET_KEY: 'another secret key of thirty-two characters' })
  assert.equal((await changed.call('GET', '/.well-known/jwks.json')).body.keys.length, 2)
  assert.equal((await changed.as(ada.token)('GET', 'me')).status, 200)
  const refreshed = await changed.call('POST', 'auth/refresh', { refresh_token: ada.refreshToken })
  assert.notEqual(decodeProtectedHeader(refreshed.body.access_token).kid, stored.id)
  assert.equal((await changed.as(refreshed.body.access_token)('GET', 'me')).status, 200)
})

test('a request with an unknown token or key does not wait for workers that fill the system’s connections', async () => {
  const { database } = app
  const { secret } = await app.key(acme.id)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let holding = 0
  const held = Array.from({ length: database.pools.system.options.max }, () =>
    database.inSystem(async (tx) => {
      await tx.run`select 1`
      holding++
      await released
    }),
  )
  await until(async () => holding === held.length)
  assert.equal((await app.as(secret)('GET', 'contacts')).status, 200)
  assert.equal((await app.as(`${secret}x`)('GET', 'contacts')).status, 401)
  release()
  await Promise.all(held)
})
