import type { MCPClient } from '@ai-sdk/mcp'
import { asFetch } from '../../../platform/outbound-as-fetch.ts'
import type { OutboundHttp } from '../../../platform/outbound-fetch.ts'
import type { McpServer } from '../config/tool-settings.ts'

/** A stream of the older transports stays open for the session; an hour is longer than any conversation. */
const limits = { timeLimitMs: 3_600_000, maxBytes: 32 * 1024 * 1024, guarded: true }

/** Statuses of a server that speaks the oldest transport only: it takes no POST where the stream is. */
const olderServer = new Set([400, 404, 405])

/**
 * Streamable HTTP first, with the newest protocol that the server speaks; otherwise HTTP with server-sent events, as
 * servers of 2024 have it. All requests pass the address guard.
 */
export async function connectMcp(
  http: OutboundHttp,
  { url, headers }: McpServer,
  timeLimitMs: number,
  onError: (error: unknown) => void,
): Promise<MCPClient> {
  const { createMCPClient } = await import('@ai-sdk/mcp')
  const deadline = performance.now() + timeLimitMs
  const fetch = endingQuietly(asFetch(http, limits))
  const connect = (type: 'http' | 'sse') =>
    createMCPClient({
      transport: { type, url, headers, redirect: 'error', fetch },
      name: 'frontdesk',
      onUncaughtError: onError,
      // A tool may have acted before its answer was lost: only the caller can decide to repeat it.
      maxRetries: 0,
      initializationOptions: { timeout: Math.max(1, deadline - performance.now()) },
    })
  try {
    return await connect('http')
  } catch (error) {
    const { statusCode } = error as { statusCode?: number }
    if (statusCode === undefined || !olderServer.has(statusCode)) throw error
    return connect('sse')
  }
}

/**
 * A broken body just ends: the library would leave its rejection unhandled, which would end the process. It notices the
 * missing rest by itself.
 */
function endingQuietly(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (address, init) => {
    const response = await fetch(address, init)
    return response.body ? new Response(untilItBreaks(response.body), response) : response
  }
}

function untilItBreaks(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done || !value) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason).catch(() => {}),
  })
}
