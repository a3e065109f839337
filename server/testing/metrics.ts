import type { TestApp } from './app.ts'

/** The samples of `/metrics` by name and labels, such as `frontdesk_calls{state="queued"}`. */
export async function readMetrics({ call }: Pick<TestApp, 'call'>): Promise<Map<string, number>> {
  const { text } = await call('GET', '/metrics')
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    }),
  )
}
