import { Page } from '../../parts/page.tsx'

export function TasksPage() {
  return <Page title="Tasks">{null}</Page>
}
