// For container runtimes: exits with 0 while this node is alive. A worker without WORKER_PORT does not listen; its process
// is the sign of life.
const { ROLE, PORT = '3000', WORKER_PORT } = process.env
const port = ROLE === 'worker' ? WORKER_PORT : PORT
if (port) {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
    () => undefined,
  )
  process.exitCode = answer?.ok ? 0 : 1
}
