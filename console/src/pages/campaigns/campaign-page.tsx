import { Page } from '../../parts/page.tsx'

export function CampaignPage() {
  return <Page title="Campaigns">{null}</Page>
}
