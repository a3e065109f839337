import { Page } from '../../parts/page.tsx'

export function ContactPage() {
  return <Page title="Contacts">{null}</Page>
}
