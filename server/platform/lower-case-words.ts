/** The words of a text in lower case, without punctuation. */
export const lowerCaseWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
