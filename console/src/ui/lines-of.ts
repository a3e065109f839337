/** What stands in the lines of a text field, without empty ones. */
export const linesOf = (text: string): string[] => text.split('\n').flatMap((line) => line.trim() || [])
