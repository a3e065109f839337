import { randomBytes } from 'node:crypto'
import { withoutInvisible } from '../../platform/invisible.ts'

/** What looks like one of the marks, also with letters of other widths. */
const mark = /[<＜﹤]\s*([/／]?)\s*(knowledge|contact|notes|memory|conversation)/gi

/** A word that is new in every request, so that nothing that others wrote can imitate the marks. */
export const newFence = (): string => randomBytes(6).toString('hex')

/** Puts marks around what others wrote. */
export const enclosed = (name: string, fence: string, text: string): string =>
  `<${name} ${fence}>\n${withoutInvisible(text).replace(mark, '‹$1$2')}\n</${name} ${fence}>`
