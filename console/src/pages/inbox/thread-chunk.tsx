import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

/** How far from the screen messages are still drawn. */
const margin = '1600px 0px'

/** A piece of a long thread. Far from the screen it is only as tall as it was, so that thousands of messages stay light. */
export function ThreadChunk({
  name,
  root,
  children,
}: {
  name: number
  root: RefObject<HTMLElement | null>
  children(): ReactNode
}) {
  const element = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState<number>()
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1)
        if (entry) setHeight(entry.isIntersecting ? undefined : entry.boundingClientRect.height)
      },
      { root: root.current, rootMargin: margin },
    )
    observer.observe(element.current as HTMLDivElement)
    return () => observer.disconnect()
  }, [root])
  return (
    <div ref={element} data-chunk={name} style={height === undefined ? undefined : { height }}>
      {height === undefined && children()}
    </div>
  )
}
