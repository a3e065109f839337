import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'

/** A dialog that is loaded when it is first opened. It stays afterwards, for its closing transition. */
export function lazyDialog<Props extends { opened: boolean }>(load: () => Promise<ComponentType<Props>>) {
  const Dialog = lazy(async () => ({ default: await load() }))
  function Loaded(props: Props) {
    // Dialogs remember the focused element when they open, not when they are rendered open.
    const [isMounted, setMounted] = useState(false)
    useEffect(() => setMounted(true), [])
    return <Dialog {...props} opened={props.opened && isMounted} />
  }
  return function LazyDialog(props: Props) {
    const [wasOpened, setWasOpened] = useState(false)
    if (props.opened && !wasOpened) setWasOpened(true)
    return (
      wasOpened && (
        <Suspense>
          <Loaded {...props} />
        </Suspense>
      )
    )
  }
}
