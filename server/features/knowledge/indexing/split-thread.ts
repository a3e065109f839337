import { parentPort, workerData } from 'node:worker_threads'
import { toChunks } from './to-chunks.ts'

/** Run by split-document.ts, in a thread of its own. */
parentPort?.postMessage(toChunks(workerData))
