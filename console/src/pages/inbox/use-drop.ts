import { type DragEvent, useRef, useState } from 'react'

/** Attaches files that are dropped on the conversation. */
export function useDrop(isEnabled: boolean, onFiles: (files: File[]) => void) {
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const enter = (change: number) => (event: DragEvent) => {
    if (!isEnabled || !hasFiles(event)) return
    depth.current = Math.max(0, depth.current + change)
    setOver(depth.current > 0)
  }
  return {
    isOver,
    handlers: {
      onDragEnter: enter(1),
      onDragLeave: enter(-1),
      // Also where files are not accepted: the browser would otherwise navigate to the dropped file.
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = isEnabled ? 'copy' : 'none'
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setOver(false)
        if (isEnabled) onFiles([...event.dataTransfer.files])
      },
    },
  }
}
