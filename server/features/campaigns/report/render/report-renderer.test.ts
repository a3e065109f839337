import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Report } from '../report.ts'
import { createReportRenderer } from './report-renderer.ts'

const report: Report = {
  id: '01976f3e-6f0a-7c44-9a51-0d3f5a1b2c3d',
  name: 'News',
  organization: 'Acme',
  isTest: true,
  status: { word: 'Completed', tone: 'good', sentence: 'Done.' },
  asOf: '15 Nov 2026, 10:53',
  timezone: 'UTC',
  facts: [],
  preview: null,
  previewNote: '',
  funnel: [],
  remainder: '',
  buttons: '',
  links: '',
  chart: null,
  failures: [],
  otherFailures: 0,
}
const isPdf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 5)).toString() === '%PDF-'

test('a report that fails to render does not affect others, and an abandoned one is not started', async () => {
  const render = createReportRenderer()
  const { signal } = new AbortController()
  const broken = render({ ...report, funnel: null as never }, signal)
  const next = render(report, signal)
  let abandoned = 'waiting'
  const gone = AbortSignal.abort()
  render(report, gone).then(
    () => (abandoned = 'rendered'),
    () => (abandoned = 'refused'),
  )
  const last = render(report, signal)
  await assert.rejects(broken, /null/)
  assert.ok(isPdf(await next))
  assert.ok(isPdf(await last))
  assert.equal(abandoned, 'refused')
})
