/** Mail programs put something before a PDF's header: readers look for it in the first kilobyte. */
export const pdfStart = (bytes: Buffer): number => bytes.subarray(0, 1024).indexOf('%PDF-')

/** The container of Office files with a password, and of those from before 2007. */
export const isOle = (bytes: Buffer): boolean => bytes.subarray(0, 8).toString('hex') === 'd0cf11e0a1b11ae1'

export const startOf = (bytes: Buffer): string => bytes.subarray(0, 512).toString('latin1').trimStart().toLowerCase()

export const looksLikeHtml = (start: string): boolean =>
  /^(?:\u00ef\u00bb\u00bf)?\s*<(?:!doctype html|html)/.test(start)
