import type { findSettings } from './queries.ts'
import { type PrivacySettings, type RetentionKind, retentionKinds } from './schema.ts'

/** The stored settings with null for what has no limit. */
export function describeSettings({ retention, masking }: Awaited<ReturnType<typeof findSettings>>): PrivacySettings {
  const kinds = Object.keys(retentionKinds) as RetentionKind[]
  const days = Object.fromEntries(kinds.map((kind) => [kind, retention[kind] ?? null])) as PrivacySettings['retention']
  return { retention: days, masking }
}
