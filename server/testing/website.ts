import { createServer, type IncomingHttpHeaders } from 'node:http'
import { listenLocally } from './listen-locally.ts'

interface PageAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string | Uint8Array
}
type Pages = Record<
  string,
  PageAnswer | string | undefined | ((headers: IncomingHttpHeaders) => PageAnswer | Promise<PageAnswer>)
>

/** A web page with these links. */
export const html = (title: string, text: string, links: string[] = [], head = ''): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><nav>${links
    .map((link) => `<a href="${link}">${link}</a> `)
    .join('')}</nav><main><h1>${title}</h1><p>${text}</p></main></body></html>`

/** A website whose pages the test can change: by path, a string is HTML. Everything else is 404. */
export async function startWebsite(pages: Pages) {
  const requests: string[] = []
  let inFlight = 0
  let mostInFlight = 0
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    requests.push(path)
    mostInFlight = Math.max(mostInFlight, ++inFlight)
    response.on('close', () => inFlight--)
    const page = pages[path] ?? pages[path.replace(/\?.*/, '?')]
    const answer = typeof page === 'function' ? await page(request.headers) : page
    if (answer === undefined) return response.writeHead(404).end('gone')
    if (typeof answer === 'string') return response.writeHead(200, { 'content-type': 'text/html' }).end(answer)
    const { status = 200, headers = { 'content-type': 'text/plain' }, body = '' } = answer
    return response.writeHead(status, headers).end(body)
  })
  const { url } = await listenLocally(server)
  return { url, pages, requests, mostInFlight: () => mostInFlight }
}
