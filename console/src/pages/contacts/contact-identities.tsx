import type { api as types } from '@frontdesk/sdk'
import { Badge, Card, Group, List, Text } from '@mantine/core'
import { IconAt, IconBrandWhatsapp, IconPhone } from '@tabler/icons-react'
import { Copy } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'

const kinds = {
  phone: { icon: IconPhone, label: 'Phone number' },
  whatsapp_user_id: { icon: IconBrandWhatsapp, label: 'WhatsApp user ID' },
  username: { icon: IconAt, label: 'WhatsApp username' },
}

/** Numbers, accounts and usernames of the contact, with those that it gave up. */
export function ContactIdentities({ identities }: { identities: types.ContactIdentity[] }) {
  const hasSeveralNumbers = identities.filter(({ kind, until }) => kind === 'phone' && until === null).length > 1
  return (
    <Card withBorder component="section" aria-label="Identities">
      <Text fw={600} size="sm" mb="xs" component="h2">
        Identities
      </Text>
      {identities.length === 0 && (
        <Text size="sm" c="dimmed">
          No phone number or WhatsApp account.
        </Text>
      )}
      <List listStyleType="none" spacing="xs" size="sm">
        {identities.map(({ kind, value, primary, since, until }) => {
          const { icon: Icon, label } = kinds[kind]
          return (
            <List.Item key={`${kind} ${value}`} icon={<Icon size={16} aria-hidden />}>
              <Group gap={6} wrap="nowrap" miw={0}>
                <Text size="sm" miw={0} truncate title={value} {...(until && { c: 'dimmed' })}>
                  <bdi>{kind === 'username' ? `@${value}` : value}</bdi>
                </Text>
                <Copy value={value} what={label} />
                {kind === 'phone' && primary && hasSeveralNumbers && (
                  <Badge size="xs" variant="light" style={{ flexShrink: 0 }}>
                    Primary
                  </Badge>
                )}
              </Group>
              <Text size="xs" c="dimmed">
                {label}, {until ? 'replaced' : 'added'} <Moment at={until ?? since} />
              </Text>
            </List.Item>
          )
        })}
      </List>
    </Card>
  )
}
