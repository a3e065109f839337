import { may, useMe } from '../../data/session.tsx'
import { PathTabs } from '../../ui/path-tabs.tsx'

const tabs = { files: 'Files', websites: 'Websites', faqs: 'FAQs', collections: 'Collections', gaps: 'Gaps' }
// Rated answers are messages.
const withFeedback = { ...tabs, feedback: 'Feedback' }

export function KnowledgeTabs({ value }: { value: keyof typeof withFeedback }) {
  const mayReadMessages = may(useMe(), 'inbox:read')
  return <PathTabs<string> base="/knowledge" tabs={mayReadMessages ? withFeedback : tabs} value={value} />
}
