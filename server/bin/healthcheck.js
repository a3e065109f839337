// For container runtimes: exits with 0 while this node is alive. A worker does not listen; its process is the sign of life.
const { ROLE, PORT = '3000' } = process.env
if (ROLE !== 'worker') {
  const answer = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(4_000) }).catch(
    () => undefined,
  )
  process.exitCode = answer?.ok ? 0 : 1
}
