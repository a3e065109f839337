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
    yield `ℹ failure ${JSON.stringify(`✖ ${name} (${file}:${line})\n${inspect(cause ?? details.error)}`)}\n`
  }
}
