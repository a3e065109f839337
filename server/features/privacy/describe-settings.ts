import { type PrivacySettings, type RetentionKind, retentionKinds } from './schema.ts'

/** The stored settings with null for what has no limit. */
export function describeSettings({
  retention,
}: {
  retention: Partial<Record<RetentionKind, number>>
}): PrivacySettings {
  const kinds = Object.keys(retentionKinds) as RetentionKind[]
  return {
    retention: Object.fromEntries(kinds.map((kind) => [kind, retention[kind] ?? null])) as PrivacySettings['retention'],
  }
}
