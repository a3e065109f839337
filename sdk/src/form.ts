/** A file to upload. Bytes and streams have no name, and the service uses the name: pass one. */
export type Upload = Blob | { name: string; content: FileContent; type?: string }

export type FileContent = Blob | Uint8Array | ArrayBuffer | string | ReadableStream<Uint8Array>

/** A form of these members. A stream is buffered first, so that the form can be sent again. */
export async function toForm(members: object): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined || value === null) continue
    if (value instanceof Blob) form.append(name, value, nameOf(value))
    else if (isNamedFile(value)) form.append(name, await blobOf(value.content, value.type), value.name)
    else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return form
}

/** Whether a body contains a file and so must be sent as a form. */
export const hasFile = (body: object): boolean =>
  Object.values(body).some((value) => value instanceof Blob || isNamedFile(value))

const nameOf = (blob: Blob): string => ('name' in blob && typeof blob.name === 'string' ? blob.name : 'file')

const isNamedFile = (value: unknown): value is Exclude<Upload, Blob> =>
  value !== null && typeof value === 'object' && 'content' in value && 'name' in value

async function blobOf(content: FileContent, type = ''): Promise<Blob> {
  if (content instanceof ReadableStream) return new Blob([await new Response(content).arrayBuffer()], { type })
  return new Blob([content as ArrayBuffer], { type: type || (content instanceof Blob ? content.type : '') })
}
