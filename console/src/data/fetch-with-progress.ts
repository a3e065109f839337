/** fetch reports no upload progress; XMLHttpRequest does. */
export const fetchWithProgress =
  (onProgress: (share: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', String(input))
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
        if (lengthComputable && total > 0) onProgress(loaded / total)
      }
      request.onload = () => {
        const { status, responseText } = request
        resolve(new Response(responseText || null, { status, headers: headersOf(request.getAllResponseHeaders()) }))
      }
      request.onerror = () => reject(new TypeError('connection lost'))
      request.onabort = () => reject(init.signal?.reason ?? new DOMException('Aborted', 'AbortError'))
      if (init.signal?.aborted) return reject(init.signal.reason)
      init.signal?.addEventListener('abort', () => request.abort(), { once: true })
      request.send(init.body as FormData | string | null)
    })

function headersOf(lines: string): Headers {
  const headers = new Headers()
  for (const line of lines.trim().split(/\r?\n/)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return headers
}
