import { Page } from '../../parts/page.tsx'

export function KnowledgePage() {
  return <Page title="Knowledge">{null}</Page>
}
