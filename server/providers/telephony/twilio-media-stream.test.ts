import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { WebSocket, WebSocketServer } from 'ws'
import { listenLocally } from '../../testing/listen-locally.ts'
import { until } from '../../testing/process.ts'
import { startStream } from './twilio-media-stream.ts'

/** The carrier's end of a media stream, and ours. */
async function openStreams() {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const { url } = await listenLocally(server)
  const opened = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve))
  const carrier = new WebSocket(url.replace('http', 'ws'))
  after(() => carrier.terminate())
  const [ours] = await Promise.all([opened, once(carrier, 'open')])
  after(() => ours.terminate())
  const started = startStream(ours, 60_000)
  const tell = (message: object) => carrier.send(JSON.stringify({ streamSid: 'MZ1', ...message }))
  tell({ event: 'connected', protocol: 'Call', version: '1.0.0' })
  tell({ event: 'start', start: { streamSid: 'MZ1', callSid: 'CA1', accountSid: 'AC1', customParameters: {} } })
  return { tell, stream: (await started).stream }
}

test('frames are taken as they arrive, whatever the clock of the carrier says', async () => {
  const { tell, stream } = await openStreams()
  const heard: number[] = []
  stream.onFrame((frame) => heard.push(frame[0] as number))
  // Stands still, jumps ahead by a day, goes back, is negative, is no number, is missing.
  const clocks = ['20', '20', '86400020', '40', '-60', 'NaN', undefined]
  for (const [i, timestamp] of clocks.entries())
    tell({
      event: 'media',
      sequenceNumber: String(clocks.length - i),
      media: { track: 'inbound', chunk: '1', timestamp, payload: Buffer.alloc(160, i).toString('base64') },
    })
  await until(async () => heard.length === clocks.length)
  assert.deepEqual(heard, [...clocks.keys()])
})
