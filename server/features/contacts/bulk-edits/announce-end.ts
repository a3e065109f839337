import type { TenantTx } from '../../../platform/database.ts'
import { type EventKind, emit } from '../../../platform/events.ts'
import type { BulkEdit, EndedBulkEdit } from './schema.ts'

export const announceEnd = (
  tx: TenantTx,
  kind: EventKind<typeof EndedBulkEdit>,
  { filter: _, ...ended }: BulkEdit,
): Promise<void> => emit(tx, kind, ended, { state: 'running' })
