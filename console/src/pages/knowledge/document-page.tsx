import { Page } from '../../parts/page.tsx'

export function DocumentPage() {
  return <Page title="Knowledge">{null}</Page>
}
