import type { CallAs, Reply } from './app.ts'

export interface Upload {
  file?: string | Uint8Array<ArrayBuffer>
  fileName?: string
  /** The content type from the sender; none by default. */
  fileType?: string
  fields?: Record<string, string>
}

/** A form as browsers and curl send it. */
export async function formOf({ file, fileName = 'contacts.csv', fileType = '', fields = {} }: Upload) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  if (file !== undefined) form.append('file', new Blob([file], { type: fileType }), fileName)
  return encodeForm(form)
}

export async function encodeForm(form: FormData): Promise<{ body: Uint8Array; headers: Record<string, string> }> {
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type') as string }
  return { body: await encoded.bytes(), headers }
}

export async function upload(
  call: CallAs,
  path: string,
  parts: Upload,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const form = await formOf(parts)
  return call('POST', path, form.body, { ...form.headers, ...headers })
}
