import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * A reporter that tells run.ts about each failure at once, because the report at the end is lost if the process does not
 * end by itself.
 */
export default async function* reportFailures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue
    const { name, file, line, details } = event.data
    const { cause, failureType } = details.error as Error & { failureType?: string }
    // The tests within it come before it.
    if (failureType === 'subtestsFailed') continue
    const text = JSON.stringify(`✖ ${name} (${file}:${line})\n${inspect(cause ?? details.error)}`)
    // On a line of its own, which these two characters would end.
    yield `\nℹ failure ${text.replace(/[\u2028\u2029]/g, ' ')}\n`
  }
}
