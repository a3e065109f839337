import type { MessagePreview } from './message-preview.ts'

/** A campaign's report in words and figures: everything that is drawn. */
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
  /** Recipients that got nothing, by reason. */
  remainder: string
  /** How many recipients tapped each button; empty if none did. */
  buttons: string
  /** How often each link was clicked; empty if none was, or if the platform does not say. */
  links: string
  chart: Chart | null
  failures: FailureRow[]
  /** Failed deliveries whose reasons the list leaves out. */
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
  /** Length of each bar, in words. */
  step: string
  bars: Bar[]
}

export interface Bar {
  label: string
  /** In the time zone's local time. */
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
