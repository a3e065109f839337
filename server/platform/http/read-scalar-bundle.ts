import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { tagOf } from './kept-file.ts'

/** A thread of its own: asks Scalar's plugin for the script that it would serve, and hands it over compressed. */
const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`Scalar answered ${statusCode} for its script`)
parentPort?.postMessage({ gzipped: gzipSync(rawPayload, { level: 9 }), etag: tagOf(rawPayload) })
await app.close()
