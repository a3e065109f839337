import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react'
import classes from './inbox.module.css'

interface Suggestion {
  id: string
  content: ReactNode
  choose(): void
}

/**
 * A list above a text field, moved through with the arrow keys and chosen from with Enter or Tab. The field keeps the
 * focus and passes its keys to `onKey`, which returns whether the list used the key.
 */
export function useSuggestions(label: string, items: Suggestion[], close: () => void) {
  const [index, setIndex] = useState(0)
  const listId = useId()
  const ids = items.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other items start at the first one
  useEffect(() => setIndex(0), [ids])
  const isOpen = items.length > 0
  const at = Math.min(index, items.length - 1)

  function onKey(event: KeyboardEvent): boolean {
    if (!isOpen || event.nativeEvent.isComposing) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setIndex((at + step + items.length) % items.length)
    else if (event.key === 'Escape') close()
    else if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') items[at]?.choose()
    else return false
    event.preventDefault()
    return true
  }

  const list = isOpen && (
    <div className={classes.suggestions} role="listbox" id={listId} aria-label={label}>
      {items.map(({ id, content, choose }, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={id}
          id={`${listId}-${i}`}
          role="option"
          tabIndex={-1}
          aria-selected={i === at}
          className={classes.suggestion}
          // Before the field loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={choose}
        >
          {content}
        </div>
      ))}
    </div>
  )
  const field = {
    role: 'combobox',
    'aria-expanded': isOpen,
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    ...(isOpen && { 'aria-activedescendant': `${listId}-${at}` }),
  } as const
  return { isOpen, onKey, list, field }
}
