import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

/** Messages within this distance of the viewport are rendered. */
const margin = '1600px 0px'

/** A part of a long thread. Outside the viewport it is an empty box of the same height. */
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
