/** Something that the platform is known to refuse, and where it is. */
export interface Finding {
  at: string[]
  msg: string
}

export const finding = (msg: string, ...at: string[]): Finding => ({ at, msg })

export const tooLong = (what: string, most: number, ...at: string[]) =>
  finding(`${what} has ${most} characters at most at the platform`, ...at)

export const lengthOf = (text: string): number => [...text].length

export const lengthFindings = (what: string, text: string, most: number): Finding[] =>
  lengthOf(text) > most ? [tooLong(what, most, 'text')] : []

export const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0
