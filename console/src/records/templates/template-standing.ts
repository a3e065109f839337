import type { api as types } from '@frontdesk/sdk'
import type { Tone } from '../../ui/status.tsx'

type Standing = Pick<
  types.Template,
  'status' | 'platform_status' | 'registration' | 'registration_error' | 'rejected_reason'
>

export interface StandingInWords {
  tone: Tone
  word: string
  /** What that means, and what to do. */
  meaning: string
}

/** As the service has it: both the last verdict and the platform's word of today have to be good. */
export const isSendable = ({ status, platform_status, registration }: Standing): boolean =>
  status === 'APPROVED' && platform_status === 'APPROVED' && registration === 'registered'

const platformWords: Record<string, StandingInWords> = {
  PAUSED: {
    tone: 'warning',
    word: 'Paused',
    meaning:
      'People disliked it, so the platform has paused it for some hours. It becomes usable again by itself; the third time it is disabled for good.',
  },
  DISABLED: {
    tone: 'bad',
    word: 'Disabled',
    meaning: 'The platform has disabled it for good. Write a new template with another wording.',
  },
  FLAGGED: {
    tone: 'warning',
    word: 'Flagged',
    meaning: 'Its quality is low. If that does not get better, the platform disables it.',
  },
  IN_APPEAL: {
    tone: 'waiting',
    word: 'In appeal',
    meaning: 'The platform is looking at it once more after an appeal.',
  },
  PENDING_DELETION: { tone: 'bad', word: 'Being deleted', meaning: 'The platform is about to delete it.' },
}

export function standingOf(template: Standing): StandingInWords {
  const { status, platform_status, registration, registration_error } = template
  if (status === 'REJECTED')
    return { tone: 'bad', word: 'Rejected', meaning: rejectionInWords(template.rejected_reason) }
  if (registration === 'held')
    return {
      tone: 'warning',
      word: 'Held back',
      meaning: `It could not be handed to the platform: ${registration_error ?? 'the channel has to be put right'}. It is tried again every hour, and at once when the channel is changed.`,
    }
  if (registration === 'uncertain')
    return {
      tone: 'waiting',
      word: 'Checking',
      meaning:
        'The platform was asked and gave no usable answer. It is being looked up, then asked for again if need be.',
    }
  if (registration === 'registering')
    return {
      tone: 'waiting',
      word: 'Submitting',
      meaning: registration_error
        ? `On its way to the platform. The last attempt said: ${registration_error}`
        : 'On its way to the platform for review.',
    }
  const said = platform_status ? platformWords[platform_status] : undefined
  if (said) return said
  if (status === 'APPROVED') {
    if (isSendable(template))
      return { tone: 'good', word: 'Approved', meaning: 'It can be sent, to anybody and at any time.' }
    return {
      tone: 'warning',
      word: platform_status ? wordOf(platform_status) : 'Approved',
      meaning: 'The platform does not let it be sent at the moment.',
    }
  }
  return {
    tone: 'waiting',
    word: 'In review',
    meaning: 'The platform is reviewing it. That mostly takes minutes, sometimes a day.',
  }
}

/** From `PENDING_DELETION` to `Pending deletion`. */
export const wordOf = (code: string) => {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const rejections: Record<string, string> = {
  ABUSIVE_CONTENT: 'The platform takes it to be threatening, insulting or against its rules. Change the wording.',
  INVALID_FORMAT:
    'Its form is not as the platform wants it: look at variables without words between them, links and buttons.',
  INCORRECT_CATEGORY: 'Its category does not fit what it says. Submit it again with the other category.',
  TAG_CONTENT_MISMATCH:
    'Its category or language does not fit what it says. Choose the right ones and submit it again.',
  PROMOTIONAL: 'It reads like an advertisement. Submit it again as Marketing, or take the advertising out.',
  SCAM: 'The platform takes it to be misleading. Say plainly who you are and what you want.',
}

function rejectionInWords(reason: string | null): string {
  if (!reason || reason === 'NONE')
    return 'The platform rejected it and gave no reason. Change the wording, then submit it again.'
  return rejections[reason] ?? (/^[A-Z_]+$/.test(reason) ? `The platform says: ${wordOf(reason)}.` : reason)
}

export const categories = [
  {
    value: 'UTILITY',
    label: 'Utility',
    meaning:
      'About something the customer did or asked for: an order, an appointment, a bill. Also sent to those who opted out of marketing.',
  },
  {
    value: 'MARKETING',
    label: 'Marketing',
    meaning: 'Offers, news, invitations, and whatever is not clearly the others. Never sent to those who opted out.',
  },
  {
    value: 'AUTHENTICATION',
    label: 'Authentication',
    meaning: 'One-time codes. The platform writes the text of these itself and refuses any other.',
  },
] as const

export const categoryLabel = (value: string) => categories.find((each) => each.value === value)?.label ?? wordOf(value)

export const qualities: Record<string, { tone: Tone; word: string }> = {
  GREEN: { tone: 'good', word: 'High' },
  YELLOW: { tone: 'warning', word: 'Medium' },
  RED: { tone: 'bad', word: 'Low' },
}
