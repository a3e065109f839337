export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** From `PENDING_DELETION` to `Pending deletion`. */
export const wordOf = (code: string): string => capitalized(code.toLowerCase().replaceAll('_', ' '))
