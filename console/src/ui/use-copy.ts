import { useEffect, useState } from 'react'
import { showFault } from './undo.tsx'

const saysSoForMs = 1_000

async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  // Browsers give pages that came by plain http no clipboard, only what a person could do by hand.
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr-only'
  document.body.append(field)
  field.select()
  const isDone = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isDone) throw new Error('The browser does not let this page copy: select the text and copy it yourself.')
}

/** Puts a text where it can be pasted from, and tells for a moment that it is there. */
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
