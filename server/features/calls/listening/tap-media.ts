import type { CallMedia } from '../conversation/contract.ts'

/** One person who listens. */
export interface CallListener {
  onFrame(track: 'caller' | 'agent', frame: Uint8Array): void
  onEnd(): void
}

export interface TappedMedia {
  media: CallMedia
  /** Returns how to stop; undefined if enough people listen already. */
  add(listener: CallListener): (() => void) | undefined
  end(): void
}

/** Each listener costs the node a copy of the audio. */
const mostListeners = 5

/** Copies the audio of both sides to listeners. Nothing leads from them to the call. */
export function tapMedia(media: CallMedia): TappedMedia {
  const listeners = new Set<CallListener>()
  const tell = (track: 'caller' | 'agent', frame: Uint8Array) => {
    for (const listener of listeners) listener.onFrame(track, frame)
  }
  return {
    media: {
      ...media,
      onFrame: (listener) =>
        media.onFrame((frame) => {
          listener(frame)
          tell('caller', frame)
        }),
      send(frame) {
        media.send(frame)
        tell('agent', frame)
      },
    },
    add(listener) {
      if (listeners.size >= mostListeners) return undefined
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    end() {
      for (const listener of listeners) listener.onEnd()
      listeners.clear()
    },
  }
}
