/** The service's instructions for a call. */
export type Verb =
  | { verb: 'stream'; url: string; parameters: Record<string, string>; action: string | undefined }
  | { verb: 'say'; text: string }
  | { verb: 'dial'; number: string; action: string | undefined; briefingUrl: string | undefined }
  | { verb: 'gather'; text: string; action: string | undefined }
  | { verb: 'reject'; reason: string }
  | { verb: 'hangup' }

const verbs =
  /<Connect\b([^>]*)>([\s\S]*?)<\/Connect>|<Gather\b([^>]*)>([\s\S]*?)<\/Gather>|<Say\b[^>]*>([\s\S]*?)<\/Say>|<Dial\b([^>]*)>([\s\S]*?)<\/Dial>|<Reject\b([^>]*)\/?>|<Hangup\s*\/>/g

/** The few verbs that a voice agent needs; nothing for any other document. */
export function readTwiml(text: string): Verb[] | undefined {
  const [, body] = /<Response>([\s\S]*)<\/Response>/.exec(text) ?? []
  if (body === undefined) return undefined
  return [...body.matchAll(verbs)].map(([whole, connect, inside, gather, asked, said, dial, dialed, reject]): Verb => {
    if (inside !== undefined) return streamOf(connect ?? '', inside)
    if (asked !== undefined)
      return { verb: 'gather', text: withoutTags(asked), action: attribute(gather ?? '', 'action') }
    if (said !== undefined) return { verb: 'say', text: plain(said) }
    if (dialed !== undefined)
      return {
        verb: 'dial',
        number: withoutTags(dialed),
        action: attribute(dial ?? '', 'action'),
        briefingUrl: attribute(/<Number\b([^>]*)>/.exec(dialed)?.[1] ?? '', 'url'),
      }
    if (whole.startsWith('<Reject')) return { verb: 'reject', reason: attribute(reject ?? '', 'reason') ?? 'rejected' }
    return { verb: 'hangup' }
  })
}

function streamOf(connect: string, inside: string): Verb {
  const [, attributes = ''] = /<Stream\b([^>]*)>/.exec(inside) ?? []
  const parameters = [...inside.matchAll(/<Parameter\b([^>]*)\/?>/g)].map(([, given = '']) => [
    attribute(given, 'name') ?? '',
    attribute(given, 'value') ?? '',
  ])
  return {
    verb: 'stream',
    url: attribute(attributes, 'url') ?? '',
    parameters: Object.fromEntries(parameters),
    action: attribute(connect, 'action'),
  }
}

const withoutTags = (text: string) => plain(text.replace(/<[^>]*>/g, ''))

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : plain(value)
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' }
const plain = (text: string) => text.replace(/&(lt|gt|quot|apos|amp);/g, (entity) => entities[entity] as string).trim()
