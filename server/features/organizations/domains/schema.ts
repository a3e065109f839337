import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

const domainRole = OneOf(['admin', 'supervisor', 'member', 'read_only'] as const, {
  description: 'Role of people who join by this domain',
})

export const Domain = Type.Object(
  {
    id: Id,
    organization_id: Id,
    domain: Type.String({ examples: ['example.com'] }),
    role: domainRole,
    record_name: Type.String({
      description: 'Name of the DNS TXT record that proves the domain is yours',
      examples: ['_frontdesk.example.com'],
    }),
    record_value: Type.String({ description: 'Its value', examples: ['frontdesk-verification=4k7mqx2w9p'] }),
    verified_at: Nullable(Instant),
    last_checked_at: Nullable({
      ...Instant,
      description: 'When the record was last looked up: verified domains are checked every day',
    }),
    failing_since: Nullable({
      ...Instant,
      description: 'Since when the record is missing. After seven days the domain is no longer verified',
    }),
    created_at: Instant,
  },
  { title: 'Domain' },
)
export type Domain = Static<typeof Domain>

export const NewDomain = Type.Object(
  {
    domain: Type.String({
      maxLength: 253,
      pattern: '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
      description: 'What follows the @ in the email addresses of your people',
      examples: ['example.com'],
    }),
    role: domainRole,
  },
  { title: 'NewDomain', examples: [{ domain: 'example.com', role: 'member' }] },
)
export type NewDomain = Static<typeof NewDomain>

export const DomainPath = Type.Object({ domain_id: Id })
export const DomainFilter = Type.Object({ ...CursorQuery })
export type DomainFilter = Static<typeof DomainFilter>
export const DomainPage = CursorPage(Domain)
