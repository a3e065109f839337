import { Page } from '../../parts/page.tsx'

export function NewTemplatePage() {
  return <Page title="Templates">{null}</Page>
}
