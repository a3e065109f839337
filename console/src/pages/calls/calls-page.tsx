import { Page } from '../../parts/page.tsx'

export function CallsPage() {
  return <Page title="Calls">{null}</Page>
}
