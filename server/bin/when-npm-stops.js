// Plain JavaScript: bin/frontdesk.js needs it with an older Node too.

const checkMs = 500
// Read when the process starts: npm may be stopped while the service is loaded.
const parent = process.ppid

/**
 * npm passes a SIGTERM to the shell that runs its script. Debian's shell ends without passing it on, and the service would
 * run on without npm. Calls `stop` once that shell is gone.
 * @param {() => void} stop
 */
export function whenNpmStops(stop) {
  // Windows has no parent to watch: it keeps the number of one that has ended.
  if (process.platform === 'win32' || !process.env.npm_lifecycle_script?.includes('frontdesk')) return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, checkMs)
  timer.unref()
}
