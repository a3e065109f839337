import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'public')
const files: Record<string, [name: string, type: string]> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/simulator.js': ['simulator.js', 'text/javascript; charset=utf-8'],
  '/simulator.css': ['simulator.css', 'text/css; charset=utf-8'],
}

const headers = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
}

/** The page for playing the customer. */
export function pageFile(path: string): { content: Buffer; headers: Record<string, string> } | undefined {
  const file = Object.hasOwn(files, path) ? files[path] : undefined
  if (!file) return undefined
  return { content: readFileSync(join(folder, file[0])), headers: { ...headers, 'content-type': file[1] } }
}
