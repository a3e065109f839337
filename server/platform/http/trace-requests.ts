import type { FastifyInstance } from 'fastify'
import type { Span, Tracer } from '../tracing/trace.ts'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | undefined
  }
}

const untraced = new Set(['/healthz', '/readyz', '/metrics'])

/** One span per request, in the trace that its `traceparent` names. Paths are left out: they may contain tokens. */
export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isOn) return
  server.decorateRequest('span', undefined)
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    if (untraced.has(route)) return done()
    const { traceparent } = request.headers
    request.span = tracer.start(`${request.method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : undefined,
      isFromCaller: true,
      attributes: { 'http.request.method': request.method, 'http.route': route, 'frontdesk.request_id': request.id },
    })
    request.span?.run(done)
  })
  // A body is read in the context of its connection.
  server.addHook('preHandler', (request, _reply, done) => (request.span ? request.span.run(done) : done()))
  server.addHook('onResponse', (request, { statusCode }, done) => {
    request.span?.end({ 'http.response.status_code': statusCode }, statusCode >= 500 ? String(statusCode) : undefined)
    done()
  })
}
