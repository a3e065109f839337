import Type, { type Static } from 'typebox'
import { malformedAllowEntries } from '../platform/address-guard.ts'

export const OutgoingRequestSettings = Type.Object(
  {
    OUTBOUND_ALLOW: Type.Array(Type.String(), {
      default: [],
      description:
        'Hosts, addresses and ranges of your own network (such as `hooks.internal`, `10.1.2.3`, `10.0.0.0/8`) that webhooks, tools and other customer-supplied addresses may reach, separated by commas. All other internal addresses are refused.',
    }),
    DNS_SERVERS: Type.Array(Type.String({ pattern: '^[0-9A-Fa-f.:\\[\\]]+$' }), {
      default: [],
      description:
        'DNS servers for names that customers choose (domains of organizations, addresses of webhooks and tools), such as `10.0.0.53` or `10.0.0.53:5353`, separated by commas. The system’s by default.',
    }),
  },
  { title: 'Outgoing requests' },
)

type OutgoingRequestSettings = Static<typeof OutgoingRequestSettings>

export function* outgoingRequestProblems({ OUTBOUND_ALLOW }: OutgoingRequestSettings): Iterable<string> {
  for (const entry of malformedAllowEntries(OUTBOUND_ALLOW))
    yield `OUTBOUND_ALLOW takes hosts, addresses and ranges such as 10.0.0.0/8, not ${entry}`
}
