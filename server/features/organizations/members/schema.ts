import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'
import { Role } from '../schema.ts'

const email = Type.String({ examples: ['ada@example.com'] })

export const Access = Type.Object(
  {
    channel_ids: Type.Array(Id, { maxItems: 500, description: 'Channels of the mode of the request' }),
    team_ids: Type.Array(Id, { maxItems: 500, description: 'Teams, in both modes' }),
  },
  { title: 'Access' },
)
export type Access = Static<typeof Access>

const memberAccess = Nullable({
  ...Access,
  description:
    'The channels and teams whose conversations the member sees, besides those assigned to them; null for all conversations',
})

export const Member = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Id of the person, used as `assignee_id` of tasks' }),
    organization_id: Id,
    email,
    name: Type.String({ examples: ['Ada Lovelace'] }),
    role: Role,
    access: memberAccess,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Member' },
)
export type Member = Static<typeof Member>

export const MemberPath = Type.Object({ member_id: Id })
export const MemberFilter = Type.Object({ ...CursorQuery })
export type MemberFilter = Static<typeof MemberFilter>
export const MemberPage = CursorPage(Member)
export const RoleChange = Type.Object({ role: Role }, { title: 'RoleChange', examples: [{ role: 'admin' }] })

export const Invitation = Type.Object(
  {
    id: Id,
    organization_id: Id,
    email,
    role: Role,
    access: memberAccess,
    invited_by: Nullable(Id),
    mail_status: Nullable(
      OneOf(['queued', 'sent', 'failed', 'unknown'] as const, {
        description:
          'Whether the link was emailed; null if this installation sends no email. `failed` is retried for about 40 minutes, unless the server refused the address. `unknown`: the mail server may have accepted it',
        examples: ['sent'],
      }),
    ),
    expires_at: Instant,
    created_at: Instant,
  },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const InvitationWithLink = Type.Object(
  {
    ...Invitation.properties,
    link: Nullable(Type.String({ description: 'Where the invited person joins. Shown only once' })),
  },
  { title: 'InvitationWithLink' },
)

export const NewInvitation = Type.Object(
  {
    email: Type.String({ format: 'email', maxLength: 320 }),
    role: Role,
    access: Type.Optional(memberAccess),
  },
  { title: 'NewInvitation', examples: [{ email: 'ada@example.com', role: 'member' }] },
)
export type NewInvitation = Static<typeof NewInvitation>

export const InvitationPath = Type.Object({ invitation_id: Id })
export const InvitationFilter = Type.Object({ ...CursorQuery })
export type InvitationFilter = Static<typeof InvitationFilter>
export const InvitationPage = CursorPage(Invitation)
