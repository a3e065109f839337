/** Normalized tags: trimmed, unique, in the given order. */
export const uniqueTags = (tags: string[]): string[] => [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
