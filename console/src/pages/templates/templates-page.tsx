import { Page } from '../../parts/page.tsx'

export function TemplatesPage() {
  return <Page title="Templates">{null}</Page>
}
