type Describe = (error: unknown) => string

let describe: Describe = (error) => (error instanceof Error ? error.message : String(error))

/** ui/ knows no API. The data layer, which knows its errors, registers how they read. */
export function describeErrorsWith(next: Describe): void {
  describe = next
}

/** What went wrong and what to do about it. */
export const errorText = (error: unknown): string => describe(error)
