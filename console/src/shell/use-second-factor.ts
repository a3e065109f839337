import { useState } from 'react'
import { needsCode } from '../data/api-errors.ts'

type Enter = (code?: string) => Promise<void>

/** Signs in, and remembers how to try again with a code if the person has a second factor. */
export function useSecondFactor() {
  const [enterWith, setEnterWith] = useState<Enter>()
  const enterOrAsk = async (attempt: Enter) => {
    try {
      await attempt()
    } catch (error) {
      if (!needsCode(error)) throw error
      setEnterWith(() => attempt)
    }
  }
  return { enterWith, enterOrAsk }
}
