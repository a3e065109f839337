import { parentPort } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import { tagOf } from './kept-file.ts'

/**
 * Runs in a worker thread: reads the script that Scalar's plugin would serve, compresses it and posts it to the parent.
 */
const app = Fastify()
await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
const { statusCode, rawPayload } = await app.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`Scalar answered ${statusCode} for its script`)
parentPort?.postMessage({ gzipped: gzipSync(rawPayload, { level: 9 }), etag: tagOf(rawPayload) })
await app.close()
