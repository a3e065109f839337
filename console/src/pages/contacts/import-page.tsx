import { Page } from '../../parts/page.tsx'

export function ImportPage() {
  return <Page title="Contacts">{null}</Page>
}
