import { useEffect, useState } from 'react'
import { showFault } from './undo.tsx'

const saysSoForMs = 1_000

async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Pages loaded over plain HTTP have no clipboard API; execCommand still works.
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isDone) throw new Error('The browser does not allow copying. Select the text and copy it manually.')
}

/** Copies a text and confirms it for a moment. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), saysSoForMs)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () => void write(text).then(() => setCopied(true), showFault)
  return { copied, copy }
}
