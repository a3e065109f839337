import { Page } from '../../parts/page.tsx'

export function CallPage() {
  return <Page title="Calls">{null}</Page>
}
