/** Tags as they are kept: trimmed, each once, in the order given. */
export const uniqueTags = (tags: string[]): string[] => [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
