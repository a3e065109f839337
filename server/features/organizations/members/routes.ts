import { found } from '../../../platform/errors.ts'
import { anyScope, fullAccess } from '../../../platform/http/principal.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Deleted, deleted } from '../../../platform/schemas.ts'
import type { SecretBox } from '../../../platform/secrets.ts'
import { changeRole } from './change-role.ts'
import { invitePerson } from './invite-person.ts'
import { limitAccess, removeLimit } from './limit-access.ts'
import { findInvitation, findMember, listInvitations, listMembers } from './queries.ts'
import { removeMember } from './remove-member.ts'
import {
  Access,
  Invitation,
  InvitationFilter,
  InvitationPage,
  InvitationPath,
  InvitationWithLink,
  Member,
  MemberFilter,
  MemberPage,
  MemberPath,
  NewInvitation,
  RoleChange,
} from './schema.ts'
import { withdrawInvitation } from './withdraw-invitation.ts'

const tag = 'Members'

/** Tasks are assigned to members, so the scope for tasks also allows listing members. */
const readMembers = 'contacts:read'

interface PeopleDependencies {
  publicUrl: string | undefined
  secrets: SecretBox
  sendsMail: boolean
}

export function peopleRoutes(routes: Routes, { publicUrl, ...mail }: PeopleDependencies): void {
  routes.read({
    id: 'listMembers',
    method: 'GET',
    url: '/members',
    tag,
    summary: 'List members',
    scope: readMembers,
    query: MemberFilter,
    response: MemberPage,
    handler: (sql, { query }) => listMembers(sql, query),
  })

  routes.read({
    id: 'getMember',
    method: 'GET',
    url: '/members/{member_id}',
    tag,
    summary: 'Get a member',
    scope: readMembers,
    params: MemberPath,
    response: Member,
    handler: async (sql, { params }) => found(await findMember(sql, params.member_id), 'Member'),
  })

  routes.write({
    id: 'updateMember',
    method: 'PATCH',
    url: '/members/{member_id}',
    tag,
    summary: 'Change a member’s role',
    description:
      'You can neither change a member whose role allows more than yours nor give such a role. Admins cannot change owners or make someone an owner. The last owner cannot step down.',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    params: MemberPath,
    body: RoleChange,
    response: Member,
    errors: [409],
    handler: (tx, { params, body, principal }) => changeRole(tx, principal, params.member_id, body.role),
  })

  routes.write({
    id: 'removeMember',
    method: 'DELETE',
    url: '/members/{member_id}',
    tag,
    summary: 'Remove a member',
    description:
      'Requires full access or `members:manage`, except for members who remove themselves. The last owner cannot leave.',
    scope: anyScope,
    params: MemberPath,
    response: Deleted,
    errors: [403, 409],
    handler: async (tx, { params, principal }) => {
      await removeMember(tx, principal, params.member_id)
      return { message: 'Member removed successfully' }
    },
  })

  routes.write({
    id: 'putMemberAccess',
    method: 'PUT',
    url: '/members/{member_id}/access',
    tag,
    summary: 'Limit a member’s access to conversations',
    description:
      'The member then sees the conversations of these channels and teams and those assigned to them, and nothing of other conversations: no messages, notes, calls, reports or events. Contacts, tasks and campaigns stay visible. Replaces the teams, and the channels of the mode of the request. Owners and admins see everything (409). A member with limited access can manage neither members nor webhooks, whatever the role.',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    params: MemberPath,
    body: Access,
    response: Member,
    errors: [409],
    handler: (tx, { params, body, principal }) => limitAccess(tx, principal, params.member_id, body),
  })

  routes.write({
    id: 'deleteMemberAccess',
    method: 'DELETE',
    url: '/members/{member_id}/access',
    tag,
    summary: 'Let a member see all conversations',
    description: 'In both modes. If you limit the access again, the channels of the other mode are as they were.',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    params: MemberPath,
    response: Deleted,
    handler: (tx, { params, principal }) =>
      removeLimit(tx, principal, params.member_id).then(() => deleted('Access limit')),
  })

  routes.read({
    id: 'listInvitations',
    method: 'GET',
    url: '/invitations',
    tag,
    summary: 'List pending invitations',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    query: InvitationFilter,
    response: InvitationPage,
    handler: (sql, { query }) => listInvitations(sql, query),
  })

  routes.write({
    id: 'createInvitation',
    method: 'POST',
    url: '/invitations',
    tag,
    summary: 'Create an invitation',
    description:
      'Returns the link to send to the person, and emails it if email is set up. It works once, within seven days, and is shown only here. You cannot invite above your own role, and test keys cannot invite.',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    body: NewInvitation,
    response: InvitationWithLink,
    status: 201,
    errors: [409],
    secrets: ['link'],
    handler: async (tx, { body, principal, request }) => {
      const { invitation, token } = await invitePerson(tx, principal, body, mail)
      const base = publicUrl ?? `${request.protocol}://${request.host}`
      // In the fragment, which browsers do not send to any server.
      return { ...invitation, link: `${base}/#invitation=${token}` }
    },
  })

  routes.read({
    id: 'getInvitation',
    method: 'GET',
    url: '/invitations/{invitation_id}',
    tag,
    summary: 'Get an invitation',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    params: InvitationPath,
    response: Invitation,
    handler: async (sql, { params }) => found(await findInvitation(sql, params.invitation_id), 'Invitation'),
  })

  routes.write({
    id: 'deleteInvitation',
    method: 'DELETE',
    url: '/invitations/{invitation_id}',
    tag,
    summary: 'Withdraw an invitation',
    scope: fullAccess,
    narrowerScope: 'members:manage',
    params: InvitationPath,
    response: Deleted,
    handler: (tx, { params, principal }) =>
      withdrawInvitation(tx, principal, params.invitation_id).then(() => deleted('Invitation')),
  })
}
