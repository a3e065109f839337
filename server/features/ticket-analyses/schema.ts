import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../platform/http/pagination.ts'
import { Id, Instant, Nullable } from '../../platform/schemas.ts'
import { Results } from '../agents/results/schema.ts'

export const TicketAnalysis = Type.Object(
  {
    id: { ...Id, description: 'The ticket' },
    organization_id: Id,
    contact_id: Id,
    agent_id: Nullable({ ...Id, description: 'The agent whose settings asked for it' }),
    agent_version: Nullable(Type.Integer({ examples: [3] })),
    summary: Type.String({ examples: ['The contact asked for the price of shipping to Norway, and got it.'] }),
    summary_by: Nullable(
      Type.String({
        description: 'Model that wrote the summary; `scripted` where none was asked',
        examples: ['scripted'],
      }),
    ),
    results: Nullable(Results),
    closed_at: { ...Instant, description: 'When the ticket was closed' },
    livemode: Type.Boolean(),
    created_at: Instant,
  },
  { title: 'TicketAnalysis' },
)
export type TicketAnalysis = Static<typeof TicketAnalysis>

export const AnalysisFilter = Type.Object({
  ...CursorQuery,
  inbox_id: Type.Optional({ ...Id, description: 'Only the analysis of this ticket' }),
  contact_id: Type.Optional({ ...Id, description: 'Only tickets of this contact' }),
})
export type AnalysisFilter = Static<typeof AnalysisFilter>
export const AnalysisPage = CursorPage(TicketAnalysis)
