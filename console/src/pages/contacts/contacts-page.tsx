import { Page } from '../../parts/page.tsx'

export function ContactsPage() {
  return <Page title="Contacts">{null}</Page>
}
