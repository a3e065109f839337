import { Page } from '../../parts/page.tsx'

export function InboxPage() {
  return <Page title="Inbox">{null}</Page>
}
