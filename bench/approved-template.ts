import { setTimeout as sleep } from 'node:timers/promises'
import type { caller } from './caller.ts'

/** A template with one variable that the simulated platform has approved. */
export async function approvedTemplate(call: ReturnType<typeof caller>, channelId: string) {
  const text = 'Hello {{1}}, the doors open at nine today.'
  const { id, name } = await call('POST', 'templates', {
    channel_id: channelId,
    name: 'bench_news',
    language: 'en_US',
    category: 'MARKETING',
    components: [{ type: 'BODY', text }],
  })
  while ((await call('GET', `templates/${id}`)).platform_status !== 'APPROVED') await sleep(50)
  return { id: id as string, name: name as string, text }
}
