import { Page } from '../../parts/page.tsx'

export function NewCampaignPage() {
  return <Page title="Campaigns">{null}</Page>
}
