import type { SentMessage, StatusStep } from './statuses.ts'

/** Pending work. Plain data: a simulator that ends stores it for the next one. */
export type SimulatorTask = { at: number } & (
  | { kind: 'statuses'; message: SentMessage; steps: StatusStep[]; step: number }
  | { kind: 'template'; template: string; event: 'review' | 'recategorize' | 'unpause'; category?: string }
  | { kind: 'inbound'; key: string; from: string; message: Record<string, unknown> }
)
