import { Page } from '../../parts/page.tsx'

export function TemplatePage() {
  return <Page title="Templates">{null}</Page>
}
