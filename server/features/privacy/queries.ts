import Type, { type Static } from 'typebox'
import type { SystemSql, TenantSql, TenantTx } from '../../platform/database.ts'
import { Id } from '../../platform/schemas.ts'
import type { Masking } from './masking/create-mask.ts'
import type { PrivacyChanges, RetentionKind } from './schema.ts'

const Retention = Type.Unsafe<Partial<Record<RetentionKind, number>>>({ type: 'object' })
const SettingsRow = Type.Object({ retention: Retention, masking: Type.Unsafe<Masking>({ type: 'object' }) })
type SettingsRow = Static<typeof SettingsRow>

export const findSettings = async (sql: TenantSql): Promise<SettingsRow> =>
  (await sql.maybe(SettingsRow)`select retention, masking from privacy_settings`) ?? {
    retention: {},
    masking: { card_numbers: false, patterns: [] },
  }

/** A kind that is null loses its limit; kinds that are not named stay as they are. */
export const saveSettings = (tx: TenantTx, { retention = {}, masking = {} }: PrivacyChanges) =>
  tx.one(SettingsRow)`
    insert into privacy_settings as s (retention, masking)
    values (jsonb_strip_nulls(${retention}), '{"card_numbers": false, "patterns": []}'::jsonb || ${masking}::jsonb)
    on conflict (organization_id) do update set retention = jsonb_strip_nulls(s.retention || ${retention}),
      masking = s.masking || ${masking}::jsonb, updated_at = now()
    returning retention, masking`

const OrganizationRetention = Type.Object({ organization_id: Id, retention: Retention })

export const listRetention = (system: SystemSql) =>
  system.all(OrganizationRetention)`
    select organization_id, retention from privacy_settings where retention <> '{}' order by organization_id`

/** Until the commit, deleted rows leave no audit entry each. */
export const markExpiring = (tx: TenantTx) => tx.run`select set_config('frontdesk.expiring', 'on', true)`
