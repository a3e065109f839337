import type { Feature } from '../../platform/feature.ts'
import { defineHandler } from '../../platform/jobs.ts'
import type { Conversing } from '../agents/answering/turn.ts'
import { type Analyzing, analyzeTicket } from './analyze-ticket.ts'
import { ticketAnalyzed } from './events.ts'
import { followTickets } from './follow-tickets.ts'
import { analyzeTicketJob } from './job-kinds.ts'
import { analysisData, analysisRetention } from './personal-data.ts'
import { ticketAnalysisRoutes } from './routes.ts'

export const ticketAnalyses: Feature<{ conversing: Conversing } & Omit<Analyzing, keyof Conversing>> = {
  jobKinds: [analyzeTicketJob],
  eventKinds: [ticketAnalyzed],
  personalData: analysisData,
  retention: analysisRetention,
  open: ({ conversing, database, secrets }) => ({
    routes: ticketAnalysisRoutes,
    jobs: [
      defineHandler({
        kind: analyzeTicketJob,
        concurrency: 2,
        perGroup: 1,
        handle: ({ ticketId, ...scope }, { signal }) =>
          analyzeTicket({ ...conversing, database, secrets }, scope, ticketId, signal),
      }),
    ],
    subscriptions: [followTickets],
  }),
}
