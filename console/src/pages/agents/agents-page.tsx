import { Page } from '../../parts/page.tsx'

export function AgentsPage() {
  return <Page title="Agents">{null}</Page>
}
