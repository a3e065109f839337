import type { TenantSql } from '../../platform/database.ts'
import { unsupportedParts } from './content/parts.ts'
import { findTemplateRow } from './queries.ts'
import type { Template } from './schema.ts'

/** For senders: the template in any state. */
export const findTemplate = (sql: TenantSql, id: string): Promise<Template | undefined> => findTemplateRow(sql, id)

/** The review verdict and the platform's current status must both be APPROVED, and the platform must have it. */
export const isSendable = ({ status, platform_status, registration }: Template): boolean =>
  status === 'APPROVED' && platform_status === 'APPROVED' && registration === 'registered'

/** Why a channel of this business account cannot send it; nothing when it can. */
export function whyNotSendable(template: Template, businessAccountId: string): string | undefined {
  const { name, language, status, platform_status } = template
  const which = `The template ${name} (${language})`
  if (template.business_account_id !== businessAccountId)
    return `${which} belongs to another business account than the channel`
  const [unsupported] = unsupportedParts(template.components)
  if (unsupported) return `${which} cannot be sent yet: Frontdesk does not support ${unsupported}`
  if (isSendable(template)) return undefined
  if (status !== 'APPROVED') return `${which} is not approved: its status is ${status}`
  return `${which} cannot be sent at the moment: the platform says ${platform_status ?? 'nothing about it yet'}`
}
