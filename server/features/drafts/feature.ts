import type { Feature } from '../../platform/feature.ts'
import type { Conversing } from '../agents/answering/turn.ts'
import { draftRoutes } from './routes.ts'
import type { Drafting } from './write-draft.ts'

export const drafts: Feature<{ conversing: Conversing } & Omit<Drafting, keyof Conversing>> = {
  open: ({ conversing, database, secrets }) => ({
    routes: (routes) => draftRoutes(routes, { ...conversing, database, secrets }),
  }),
}
