import { Page } from '../../parts/page.tsx'

export function NewAgentPage() {
  return <Page title="Agents">{null}</Page>
}
