import { ConnectionError, type api as types } from '@frontdesk/sdk'
import { notifications } from '@mantine/notifications'
import { apiWith, choice, type Mode } from '../../data/api.ts'
import { fetchWithProgress } from '../../data/fetch-with-progress.ts'
import { queries } from '../../data/queries.ts'
import { errorText } from '../../ui/error-text.ts'
import { sizeOf } from '../../ui/size.ts'
import { createStore } from '../../ui/store.ts'
import { showDone } from '../../ui/undo.tsx'

/** Uploads to the knowledge base. They continue when the page is left. */

export interface Upload {
  key: number
  mode: Mode
  file: File
  /** From 0 to 1. */
  share: number
  state: 'waiting' | 'sending' | 'refused'
  reason?: string
  /** Whether a retry of the same file may succeed. */
  isWorthRepeating?: boolean
}

const atOnce = 2
const pollMs = 2_000

const uploads = createStore<Upload[]>([])
let keys = 0

const change = (key: number, members: Partial<Upload>) =>
  uploads.set(uploads.get().map((each) => (each.key === key ? { ...each, ...members } : each)))
export const dismiss = (key: number) => uploads.set(uploads.get().filter((each) => each.key !== key))

export const useUploads = (mode: Mode): Upload[] => uploads.useValue((all) => all).filter((each) => each.mode === mode)

/** Files that `POST /knowledge-base/upload` takes; the others are sources. */
const uploadTypes = ['.pdf', '.docx', '.txt']
export const acceptedTypes = [
  ...uploadTypes,
  ...['.md', '.markdown', '.html', '.htm', '.csv', '.tsv', '.xlsx', '.pptx', '.epub', '.odt', '.rtf'],
]
const hasType = (name: string, types: string[]) => types.some((type) => name.toLowerCase().endsWith(type))

/** Checks before the upload what the service would reject. */
function refusalOf({ name, size }: File, maxBytes: number | undefined): string | undefined {
  if (!hasType(name, acceptedTypes))
    return 'Only PDF, Word, Excel, PowerPoint, CSV, HTML, Markdown, EPUB, OpenDocument, RTF and text files are supported'
  if (maxBytes !== undefined && size > maxBytes)
    return `The file is ${sizeOf(size)}; the maximum is ${sizeOf(maxBytes)}`
  return undefined
}

export function addFiles(files: File[], maxBytes: number | undefined): void {
  const { mode } = choice
  uploads.set([
    ...uploads.get(),
    ...files.map((file): Upload => {
      const reason = refusalOf(file, maxBytes)
      return { key: ++keys, mode, file, share: 0, ...(reason ? { state: 'refused', reason } : { state: 'waiting' }) }
    }),
  ])
  sendNext()
}

export function repeat(key: number): void {
  change(key, { state: 'waiting', share: 0 })
  sendNext()
}

function sendNext(): void {
  const all = uploads.get()
  const sending = all.filter(({ state }) => state === 'sending').length
  for (const upload of all.filter(({ state }) => state === 'waiting').slice(0, atOnce - sending)) void send(upload)
}

async function send({ key, mode, file }: Upload): Promise<void> {
  change(key, { state: 'sending' })
  try {
    const api = apiWith({ mode, timeoutMs: 900_000, fetch: fetchWithProgress((share) => change(key, { share })) })
    const begun = Date.now()
    const document = hasType(file.name, uploadTypes)
      ? await api.knowledge.uploadDocument({ file })
      : ((await api.knowledge.addSource({ file })).document as types.Document)
    await queries.invalidateQueries({ queryKey: [mode, 'documents'] })
    dismiss(key)
    if (document.status === 'processing') void tellOfItsEnd(mode, document)
    // The clocks of browser and server may differ.
    else if (Date.parse(document.uploaded_at) < begun - 60_000)
      showDone(`${file.name} was uploaded before and has not changed`)
  } catch (error) {
    change(key, { state: 'refused', reason: errorText(error), isWorthRepeating: error instanceof ConnectionError })
  } finally {
    sendNext()
  }
}

/** Announces the result on other pages; the page itself shows it in the list. */
async function tellOfItsEnd(mode: Mode, { id, file_name }: types.Document): Promise<void> {
  const api = apiWith({ mode })
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    const document = await api.knowledge.getDocument(id).catch(() => undefined)
    if (!document) return
    if (document.status === 'processing') continue
    if (location.pathname.startsWith('/knowledge')) return
    const isReady = document.status === 'ready'
    notifications.show({
      title: isReady ? `${file_name} is ready` : `Could not read ${file_name}`,
      message: isReady ? 'Agents can now answer from it.' : document.error,
      color: isReady ? 'green' : 'red',
      autoClose: isReady ? 6_000 : false,
    })
    return
  }
}
