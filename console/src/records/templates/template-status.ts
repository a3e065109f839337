import type { api as types } from '@frontdesk/sdk'
import { wordOf } from '../../ui/capitalized.ts'
import type { Tone } from '../../ui/status.tsx'
import { unsupportedParts } from './template-parts.ts'

type StatusFields = Pick<
  types.Template,
  'status' | 'platform_status' | 'registration' | 'registration_error' | 'rejected_reason' | 'components'
>

interface StatusText {
  tone: Tone
  word: string
  /** What the status means, and what to do. */
  meaning: string
}

const isAllowed = ({ status, platform_status, registration }: StatusFields): boolean =>
  status === 'APPROVED' && platform_status === 'APPROVED' && registration === 'registered'

/** The service's rule: the review has approved it, WhatsApp still allows it, and Frontdesk knows all of its parts. */
export const isSendable = (template: StatusFields): boolean =>
  isAllowed(template) && unsupportedParts(template.components).length === 0

const platformTexts: Record<string, StatusText> = {
  PAUSED: {
    tone: 'warning',
    word: 'Paused',
    meaning:
      'WhatsApp paused it for some hours because of negative feedback. It becomes active again automatically; the third time it is disabled permanently.',
  },
  DISABLED: {
    tone: 'bad',
    word: 'Disabled',
    meaning: 'WhatsApp disabled it permanently. Create a new template with different wording.',
  },
  FLAGGED: {
    tone: 'warning',
    word: 'Flagged',
    meaning: 'Its quality is low. WhatsApp disables it unless the quality improves.',
  },
  IN_APPEAL: {
    tone: 'waiting',
    word: 'In appeal',
    meaning: 'WhatsApp is reviewing the appeal.',
  },
  PENDING_DELETION: { tone: 'bad', word: 'Being deleted', meaning: 'WhatsApp is deleting it.' },
}

export function statusOf(template: StatusFields): StatusText {
  const { status, platform_status, registration, registration_error } = template
  if (status === 'REJECTED') return { tone: 'bad', word: 'Rejected', meaning: rejectionText(template.rejected_reason) }
  if (registration === 'held')
    return {
      tone: 'warning',
      word: 'Held back',
      meaning: `It could not be submitted to WhatsApp: ${registration_error ?? 'check the channel settings'}. It is retried every hour, and whenever the channel changes.`,
    }
  if (registration === 'uncertain')
    return {
      tone: 'waiting',
      word: 'Checking',
      meaning:
        'WhatsApp gave no clear response. Frontdesk checks whether the template exists and submits it again if needed.',
    }
  if (registration === 'registering')
    return {
      tone: 'waiting',
      word: 'Submitting',
      meaning: registration_error
        ? `Submitting to WhatsApp. The last attempt failed: ${registration_error}`
        : 'Submitting to WhatsApp for review.',
    }
  const said = platform_status ? platformTexts[platform_status] : undefined
  if (said) return said
  if (status === 'APPROVED') {
    const unsupported = unsupportedParts(template.components)
    if (isAllowed(template) && unsupported.length > 0)
      return {
        tone: 'warning',
        word: 'Not supported',
        meaning: `WhatsApp approved it, but Frontdesk cannot send it yet: it contains ${unsupported.join(', ')}. The template is kept unchanged.`,
      }
    if (isAllowed(template)) return { tone: 'good', word: 'Approved', meaning: 'Ready to send.' }
    return {
      tone: 'warning',
      word: platform_status ? wordOf(platform_status) : 'Approved',
      meaning: 'WhatsApp does not allow sending it at the moment.',
    }
  }
  return {
    tone: 'waiting',
    word: 'In review',
    meaning: 'WhatsApp is reviewing it. This usually takes minutes, sometimes a day.',
  }
}

const rejections: Record<string, string> = {
  ABUSIVE_CONTENT: 'WhatsApp considers it threatening, abusive or against its rules. Change the wording.',
  INVALID_FORMAT: 'WhatsApp rejects its format. Check for variables without text between them, links and buttons.',
  INCORRECT_CATEGORY: 'The category does not match the content. Resubmit it with the other category.',
  TAG_CONTENT_MISMATCH: 'The category or language does not match the content. Correct them and resubmit.',
  PROMOTIONAL: 'It reads like advertising. Resubmit it as Marketing, or remove the promotional content.',
  SCAM: 'WhatsApp considers it misleading. State clearly who you are and what you want.',
}

function rejectionText(reason: string | null): string {
  if (!reason || reason === 'NONE') return 'WhatsApp rejected it without a reason. Change the wording, then resubmit.'
  return rejections[reason] ?? (/^[A-Z_]+$/.test(reason) ? `WhatsApp’s reason: ${wordOf(reason)}.` : reason)
}

export const categories = [
  {
    value: 'UTILITY',
    label: 'Utility',
    meaning:
      'About something the customer did or asked for: an order, an appointment, an invoice. Also sent to contacts who opted out of marketing.',
  },
  {
    value: 'MARKETING',
    label: 'Marketing',
    meaning: 'Offers, news, invitations and everything else. Never sent to contacts who opted out.',
  },
  {
    value: 'AUTHENTICATION',
    label: 'Authentication',
    meaning: 'One-time codes. WhatsApp provides the text.',
  },
] as const

export const categoryLabel = (value: string) => categories.find((each) => each.value === value)?.label ?? wordOf(value)

export const qualities: Record<string, { tone: Tone; word: string }> = {
  GREEN: { tone: 'good', word: 'High' },
  YELLOW: { tone: 'warning', word: 'Medium' },
  RED: { tone: 'bad', word: 'Low' },
}
