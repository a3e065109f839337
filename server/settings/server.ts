import Type, { type Static } from 'typebox'

export const ServerSettings = Type.Object(
  {
    ROLE: Type.Union([Type.Literal('all'), Type.Literal('api'), Type.Literal('worker')], {
      default: 'all',
      description: 'What this process does: `api` serves requests, `worker` runs jobs, `all` does both.',
    }),
    HOST: Type.String({
      default: '127.0.0.1',
      description: 'Address to listen on. Any address other than loopback requires `SECRET_KEY`.',
    }),
    PORT: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      default: 3000,
      description: 'Port to listen on. 0 picks a free one.',
    }),
    WORKER_PORT: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          'Port on which a worker (`ROLE=worker`) answers `/healthz`, `/readyz` and `/metrics`, and nothing else. Without it, a worker does not listen.',
      }),
    ),
    PUBLIC_URL: Type.Optional(
      Type.String({
        pattern: '^https?://[^/]+$',
        description:
          'Public address of this service, such as `https://desk.example.com`. Determines the accepted host names, the links it prints and the issuer of tokens.',
      }),
    ),
    TRUST_PROXY: Type.Boolean({
      default: false,
      description:
        'Whether to trust the `X-Forwarded-*` headers of one proxy in front. Enable it only behind a proxy that sets or appends them.',
    }),
    CORS_ORIGINS: Type.Array(Type.String({ pattern: '^(\\*|https?://[^/]+)$' }), {
      default: [],
      description:
        'Origins whose pages may call the API with a key, separated by commas, or `*`. Cookies are never accepted across origins.',
    }),
    DRAIN_DELAY_SECONDS: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 300,
        description:
          'How long a node that is told to stop keeps serving requests while `/readyz` returns 503, so that load balancers send no more. Longer than your balancer takes to notice. Defaults to 3, or to 0 for the embedded database on loopback.',
      }),
    ),
  },
  { title: 'Server' },
)

export type ServerSettings = Static<typeof ServerSettings>
