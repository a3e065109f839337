import { defineHandler } from '../../platform/jobs.ts'
import { verifyChannelJob } from './job-kinds.ts'
import { type Verifying, verifyChannel } from './verify-channel.ts'

export const channelJobs = (deps: Verifying) => [
  defineHandler({
    kind: verifyChannelJob,
    concurrency: 4,
    perGroup: 2,
    handle: ({ organizationId, livemode, ...attempt }) => verifyChannel(deps, { organizationId, livemode }, attempt),
  }),
]
