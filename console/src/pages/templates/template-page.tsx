import { ApiError, type api as types } from '@frontdesk/sdk'
import { Alert, Button, Card, Group, Menu, Stack, Text } from '@mantine/core'
import { IconCopyPlus, IconSpeakerphone, IconTrash } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { LoadRecord } from '../../data/load-record.tsx'
import { IfMay, useSession } from '../../data/session.tsx'
import { useRecord, useRefresh } from '../../data/use-records.ts'
import { channelName, useChannels } from '../../records/channels/use-channels.ts'
import { languageName } from '../../records/templates/languages.ts'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { buttonLabel, partsOf, valueAt } from '../../records/templates/template-parts.ts'
import { categories, categoryLabel, isSendable, qualities, statusOf } from '../../records/templates/template-status.ts'
import { TestSend, trialValuesOf } from '../../records/templates/test-send.tsx'
import { askFirst } from '../../ui/ask-first.tsx'
import { wordOf } from '../../ui/capitalized.ts'
import { Copy } from '../../ui/copy.tsx'
import layout from '../../ui/layout.module.css'
import { Moment } from '../../ui/moment.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { Status } from '../../ui/status.tsx'
import { lifetimeText } from './lifetimes.ts'
import { SimulateVerdict } from './simulate-verdict.tsx'
import { isEditable, kindOf, kinds } from './template-kinds.ts'

export function TemplatePage() {
  const { templateId = '' } = useParams()
  const query = useRecord(
    ['templates', templateId],
    (signal) => api.templates.get(templateId, { signal }),
    // The verdict arrives as an event; polling covers the time before the event stream is connected.
    { refetchInterval: (template) => (template?.status === 'PENDING' ? 3_000 : false) },
  )
  return (
    <LoadRecord what="Template" id={templateId} query={query}>
      {(template) => <KnownTemplate template={template} />}
    </LoadRecord>
  )
}

function KnownTemplate({ template }: { template: types.Template }) {
  const { mode } = useSession()
  const { chatChannels } = useChannels()
  const status = statusOf(template)
  const values = trialValuesOf(template)
  const { buttons } = partsOf(template.components)
  const canEdit = isEditable(template.components)
  const channel = chatChannels?.find(({ id }) => id === template.channel_id)
  const quality = qualities[template.quality_score]
  return (
    <RecordPage
      list={{ to: '/templates', label: 'Templates' }}
      title={template.name}
      status={<Status tone={status.tone}>{status.word}</Status>}
      actions={
        <>
          <ApiRequest method="GET" path={`/templates/${template.id}`} />
          <IfMay scope="campaigns:manage">
            {isSendable(template) && <TestSend template={template} values={values} isEditable />}
            {isSendable(template) && (
              <Button
                component={Link}
                to={`/campaigns/new?template=${template.id}`}
                leftSection={<IconSpeakerphone size={16} />}
              >
                Use in a campaign
              </Button>
            )}
            <TemplateMenu template={template} />
          </IfMay>
        </>
      }
    >
      <div className={layout.columns}>
        <Stack gap="md">
          <Alert
            color={status.tone === 'bad' ? 'red' : status.tone === 'warning' ? 'yellow' : 'gray'}
            variant="light"
            title={status.word}
            styles={{ message: { color: 'var(--mantine-color-text)' } }}
          >
            <Text size="sm">{status.meaning}</Text>
            {template.status === 'REJECTED' && canEdit && (
              <IfMay scope="campaigns:manage">
                <Button component={Link} to={`/templates/new?from=${template.id}`} size="xs" variant="default" mt="xs">
                  Edit and resubmit
                </Button>
              </IfMay>
            )}
            {template.status === 'REJECTED' && !canEdit && (
              <Text size="sm">The editor cannot build all of its parts. Edit it through the API.</Text>
            )}
          </Alert>
          {mode === 'test' && <SimulateVerdict template={template} />}
          <Card withBorder>
            <dl className={layout.facts}>
              <dt>Kind</dt>
              <dd>{kinds[kindOf(template.components)].label}</dd>
              <dt>Category</dt>
              <dd>
                {categoryLabel(template.category)}
                {template.upcoming_category && ` · WhatsApp will change it to ${wordOf(template.upcoming_category)}`}
                <Text size="sm" c="dimmed">
                  {categories.find(({ value }) => value === template.category)?.meaning}
                </Text>
              </dd>
              <dt>Language</dt>
              <dd>
                {languageName(template.language)} · {template.language}
              </dd>
              {template.message_send_ttl_seconds !== null && (
                <>
                  <dt>Delivery window</dt>
                  <dd>{lifetimeText(template.message_send_ttl_seconds)}</dd>
                </>
              )}
              <dt>Quality</dt>
              <dd>{quality ? <Status tone={quality.tone}>{quality.word}</Status> : 'Not rated yet'}</dd>
              <dt>Channel</dt>
              <dd>{channel ? channelName(channel) : '–'}</dd>
              {buttons.length > 0 && (
                <>
                  <dt>Buttons</dt>
                  <dd>
                    {buttons.map((button, i) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no ID
                      <div key={i}>
                        <bdi>{buttonLabel(button)}</bdi>{' '}
                        <Text span size="sm" c="dimmed">
                          {button.url ||
                            button.phone_number ||
                            (button.type === 'QUICK_REPLY' && 'sends its label back to you')}
                        </Text>
                      </div>
                    ))}
                  </dd>
                </>
              )}
              <dt>ID</dt>
              <dd>
                <Id value={template.id} what="ID" />
              </dd>
              <dt>WhatsApp template ID</dt>
              <dd>
                {template.remote_template_id ? (
                  <Id value={template.remote_template_id} what="WhatsApp template ID" />
                ) : (
                  '–'
                )}
              </dd>
              <dt>Created</dt>
              <dd>
                <Moment at={template.created_at} />
              </dd>
              <dt>Updated</dt>
              <dd>
                <Moment at={template.updated_at} />
              </dd>
            </dl>
          </Card>
        </Stack>
        <aside className={layout.side} aria-label="Preview">
          <PhonePreview
            components={template.components}
            valueAt={(place) => valueAt(values, place)}
            sender={channel?.display_name || channel?.phone_number}
          />
        </aside>
      </div>
    </RecordPage>
  )
}

function Id({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text span ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
        {value}
      </Text>
      <Copy value={value} what={what} />
    </Group>
  )
}

function TemplateMenu({ template }: { template: types.Template }) {
  const navigate = useNavigate()
  const refresh = useRefresh('templates')
  const remove = async (localOnly: boolean) => {
    await api.templates.delete(template.id, localOnly ? { local_only: true } : {})
    await navigate('/templates')
    void refresh()
  }
  const ask = () =>
    askFirst({
      title: `Delete ${template.name}?`,
      consequence: (
        <>
          WhatsApp deletes it too, in {languageName(template.language)} only, and blocks its name for 30 days. Scheduled
          campaigns that use it will fail. Sent messages are not affected.
        </>
      ),
      action: 'Delete template',
      done: `Deleted ${template.name}`,
      async run() {
        try {
          await remove(false)
        } catch (error) {
          // No channel of its WhatsApp account is left, so it can only be deleted locally.
          if (error instanceof ApiError && error.status === 409 && /local_only/.test(error.detail))
            askAgain(error.detail)
          else throw error
        }
      },
    })
  const askAgain = (detail: string) =>
    askFirst({
      title: 'WhatsApp cannot delete it',
      consequence: detail,
      action: 'Delete in Frontdesk only',
      run: () => remove(true),
    })
  return (
    <MoreMenu>
      {isEditable(template.components) && (
        <Menu.Item component={Link} to={`/templates/new?from=${template.id}`} leftSection={<IconCopyPlus size={16} />}>
          Duplicate
        </Menu.Item>
      )}
      <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={ask}>
        Delete
      </Menu.Item>
    </MoreMenu>
  )
}
