import type { TemplateChange, TemplateUpdate } from '../../templates/syncing/record-template-updates.ts'
import { idOf, type Part, partOf, textOf, timeOf } from './wire.ts'

/** An account's update about one of its templates; undefined for other fields and incomplete ones. */
export function readTemplateUpdate(field: string, value: Part, entry: Part, now: Date): TemplateUpdate | undefined {
  const change = readChange(field, value)
  const businessAccountId = idOf(entry.id, 255)
  const templateId = idOf(value.message_template_id, 255)
  if (!change || businessAccountId === null || templateId === null) return undefined
  return {
    businessAccountId,
    at: timeOf(entry.time, now),
    templateId,
    name: textOf(value.message_template_name, 512),
    // `en-US` in the platform's samples, `en_US` everywhere else.
    language: textOf(value.message_template_language, 64).replaceAll('-', '_'),
    change,
  }
}

function readChange(field: string, value: Part): TemplateChange | undefined {
  if (field === 'message_template_status_update') {
    const event = textOf(value.event, 64)
    const reason = textOf(value.reason, 255)
    const info = [partOf(value.rejection_info), partOf(value.other_info), partOf(value.disable_info)]
      .flatMap(({ reason, recommendation, title, description, disable_date }) => [
        reason,
        recommendation,
        title,
        description,
        disable_date,
      ])
      .map((each) => textOf(each, 2000))
      .filter(Boolean)
    if (event === '') return undefined
    return { kind: 'status', event, reason: reason && reason !== 'NONE' ? reason : null, info: info.join(': ') || null }
  }
  if (field === 'message_template_quality_update') {
    const score = textOf(value.new_quality_score, 64)
    return score === '' ? undefined : { kind: 'quality', score }
  }
  if (field === 'template_category_update') {
    const [present, coming] = [textOf(value.new_category, 64), textOf(value.correct_category, 64)]
    // Arrives twice: a day before, with the current and the future category, and with the change itself.
    if (coming && !value.previous_category) return { kind: 'category', category: coming, notice: true }
    return present === '' ? undefined : { kind: 'category', category: present }
  }
  return field === 'message_template_components_update' ? { kind: 'components' } : undefined
}
