/** For how many seconds a message waits in the console before it is sent. Set for this browser alone; 0 sends at once. */
const key = 'undo-seconds'
const byDefault = 5

export const undoChoices = [0, 5, 10, 20] as const

export function undoSeconds(): number {
  const kept = localStorage.getItem(key)
  const seconds = kept === null ? byDefault : Number(kept)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : byDefault
}

export const setUndoSeconds = (seconds: number) => localStorage.setItem(key, String(seconds))
