import Type from 'typebox'
import { defineJob } from '../../../platform/jobs.ts'
import { Id } from '../../../platform/schemas.ts'

/** For both modes, after a member was removed or has left. The feature that assigns conversations handles it. */
export const memberRemovedJob = defineJob(
  'members.removed',
  Type.Object({
    organizationId: Id,
    livemode: Type.Boolean(),
    memberId: Id,
    /** The teams that the member was in. Jobs of the previous release lack them. */
    teamIds: Type.Optional(Type.Array(Id)),
    removedAt: Type.String(),
  }),
)
