import type { SentMessage, StatusStep } from './statuses.ts'

/** What happens later. Plain data: a simulator that ends writes it down for the next one. */
export type SimulatorTask = { at: number } & (
  | { kind: 'statuses'; message: SentMessage; steps: StatusStep[]; step: number }
  | { kind: 'template'; template: string; event: 'review' | 'recategorize' | 'unpause'; category?: string }
  | { kind: 'inbound'; key: string; from: string; message: Record<string, unknown> }
)
