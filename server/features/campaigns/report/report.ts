import type { MessagePreview } from './message-preview.ts'

/** A campaign's report in words and figures: all that is drawn. */
export interface Report {
  id: string
  name: string
  organization: string
  isTest: boolean
  status: { word: string; tone: Tone; sentence: string }
  asOf: string
  timezone: string
  facts: { label: string; value: string }[]
  preview: MessagePreview | null
  previewNote: string
  funnel: FunnelStep[]
  /** What became of those who were sent nothing, or did not get it. */
  remainder: string
  chart: Chart | null
  failures: FailureRow[]
  /** Deliveries that failed for reasons which the list leaves out. */
  otherFailures: number
}

export type Tone = 'good' | 'busy' | 'bad' | 'calm'

export interface FunnelStep {
  label: string
  count: number
  /** Of all recipients, from 0 to 1. */
  part: number
  /** Of all recipients, in words. */
  share: string
  /** Of the step before, in words; empty for the first two. */
  ofPrevious: string
}

export interface Chart {
  /** How long each bar lasts, in words. */
  step: string
  bars: Bar[]
}

export interface Bar {
  label: string
  /** By the clocks of the time zone. */
  at: string
  sent: number
  delivered: number
  read: number
}

export interface FailureRow {
  count: string
  share: string
  kind: string
  meaning: string
  code: string
  words: string
  advice: string
}
