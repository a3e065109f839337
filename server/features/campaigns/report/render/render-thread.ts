import { parentPort } from 'node:worker_threads'
import type { Report } from '../report.ts'
import { renderReport } from './render-report.ts'

/** Run by report-renderer.ts: one report after the other, so that open fonts are reused. */
parentPort?.on('message', async (report: Report) => {
  const bytes = await renderReport(report)
  parentPort?.postMessage(bytes)
})
