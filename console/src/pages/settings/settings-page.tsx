import { useParams } from 'react-router'
import { Page } from '../../ui/page.tsx'
import { PathTabs } from '../../ui/path-tabs.tsx'
import { MissingPage } from '../../ui/states.tsx'
import { AccountTab } from './account-tab.tsx'
import { AssignmentTab } from './assignment-tab.tsx'
import { AuditTab } from './audit-tab.tsx'
import { ChannelsTab } from './channels-tab.tsx'
import { HoursTab } from './hours-tab.tsx'
import { MembersTab } from './members-tab.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { OrganizationTab } from './organization-tab.tsx'
import { PrivacyTab } from './privacy-tab.tsx'
import { ProviderKeysTab } from './provider-keys-tab.tsx'
import { RolesTab } from './roles-tab.tsx'
import { SavedRepliesTab } from './saved-replies-tab.tsx'
import { SlaTab } from './sla-tab.tsx'
import { TeamsTab } from './teams-tab.tsx'

/** Who works here, how conversations are handled, what is kept, and what is the viewer's own. */
const tabs = {
  organization: 'Organization',
  members: 'Members',
  roles: 'Roles',
  teams: 'Teams',
  channels: 'Channels',
  'provider-keys': 'Provider keys',
  hours: 'Business hours',
  assignment: 'Assignment',
  sla: 'SLA',
  'saved-replies': 'Saved replies',
  privacy: 'Privacy',
  audit: 'Audit log',
  notifications: 'Notifications',
  account: 'Your account',
}
type Tab = keyof typeof tabs

export function SettingsPage() {
  const { tab = 'organization' } = useParams()
  if (!(tab in tabs)) return <MissingPage />
  return (
    <Page title="Settings">
      <PathTabs base="/settings" tabs={tabs} value={tab as Tab} />
      {
        {
          organization: <OrganizationTab />,
          members: <MembersTab />,
          roles: <RolesTab />,
          teams: <TeamsTab />,
          channels: <ChannelsTab />,
          'provider-keys': <ProviderKeysTab />,
          hours: <HoursTab />,
          assignment: <AssignmentTab />,
          sla: <SlaTab />,
          'saved-replies': <SavedRepliesTab />,
          privacy: <PrivacyTab />,
          audit: <AuditTab />,
          notifications: <NotificationsTab />,
          account: <AccountTab />,
        }[tab as Tab]
      }
    </Page>
  )
}
