import { ApiError, type api as types } from '@frontdesk/sdk'
import { ActionIcon, Alert, Anchor, Button, Card, Group, Menu, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconCopyPlus, IconDots, IconSpeakerphone, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { api } from '../../data/api.ts'
import { ApiRequest } from '../../data/api-request.tsx'
import { MissingRecord } from '../../data/missing-record.tsx'
import { isMissing } from '../../data/queries.ts'
import { useSession } from '../../data/session.tsx'
import { useRecord } from '../../data/use-records.ts'
import { useChannels } from '../../records/channels/use-channels.ts'
import { languageName } from '../../records/templates/languages.ts'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { examplesOf, keyOf, partsOf } from '../../records/templates/template-parts.ts'
import {
  categories,
  categoryLabel,
  isSendable,
  qualities,
  standingOf,
  wordOf,
} from '../../records/templates/template-standing.ts'
import classes from '../../records/templates/templates.module.css'
import { askFirst } from '../../ui/ask-first.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Moment } from '../../ui/moment.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Status } from '../../ui/status.tsx'
import { SimulateVerdict } from './simulate-verdict.tsx'

export function TemplatePage() {
  const { templateId = '' } = useParams()
  const { mode } = useSession()
  const { chatChannels } = useChannels()
  const {
    data: template,
    error,
    refetch,
  } = useRecord(
    ['templates', templateId],
    (signal) => api.templates.get(templateId, { signal }),
    // A verdict comes with an event; this is for the moment before the stream is up.
    { refetchInterval: (template) => (template?.status === 'PENDING' ? 3_000 : false) },
  )
  if (isMissing(error)) return <MissingRecord what="template" />
  if (error && !template) return <ErrorState error={error} retry={() => void refetch()} />
  if (!template || template.id !== templateId)
    return (
      <Page title="Template">
        <Skeleton height={320} />
      </Page>
    )
  const standing = standingOf(template)
  const examples = examplesOf(template.components)
  const { buttons } = partsOf(template.components)
  const channel = chatChannels?.find(({ id }) => id === template.channel_id)
  const quality = qualities[template.quality_score]
  return (
    <Page
      title={template.name}
      head={
        <div>
          <Anchor component={Link} to="/templates" size="sm">
            Templates
          </Anchor>
          <Group gap="sm">
            <Title order={1} style={{ overflowWrap: 'anywhere' }}>
              {template.name}
            </Title>
            <Status tone={standing.tone}>{standing.word}</Status>
          </Group>
        </div>
      }
      actions={
        <>
          <ApiRequest method="GET" path={`/templates/${template.id}`} />
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
        </>
      }
    >
      <div className={classes.columns}>
        <Stack gap="md">
          <Alert
            color={standing.tone === 'bad' ? 'red' : standing.tone === 'warning' ? 'yellow' : 'gray'}
            variant="light"
            title={standing.word}
            styles={{ message: { color: 'var(--mantine-color-text)' } }}
          >
            <Text size="sm">{standing.meaning}</Text>
            {template.status === 'REJECTED' && (
              <Button component={Link} to={`/templates/new?from=${template.id}`} size="xs" variant="default" mt="xs">
                Change it and submit again
              </Button>
            )}
          </Alert>
          {mode === 'test' && <SimulateVerdict template={template} />}
          <Card withBorder>
            <dl className={classes.facts}>
              <dt>Category</dt>
              <dd>
                {categoryLabel(template.category)}
                {template.upcoming_category && ` · becomes ${wordOf(template.upcoming_category)}, says the platform`}
                <Text size="sm" c="dimmed">
                  {categories.find(({ value }) => value === template.category)?.meaning}
                </Text>
              </dd>
              <dt>Language</dt>
              <dd>
                {languageName(template.language)} · {template.language}
              </dd>
              <dt>Quality</dt>
              <dd>{quality ? <Status tone={quality.tone}>{quality.word}</Status> : 'Not rated yet'}</dd>
              <dt>Channel</dt>
              <dd>{channel ? [channel.display_name, channel.phone_number].filter(Boolean).join(' · ') : '–'}</dd>
              {buttons.length > 0 && (
                <>
                  <dt>Buttons</dt>
                  <dd>
                    {buttons.map(({ type, text, url, phone_number }, i) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: buttons have no other name
                      <div key={i}>
                        <bdi>{text || wordOf(type)}</bdi>{' '}
                        <Text span size="sm" c="dimmed">
                          {url || phone_number || (type === 'QUICK_REPLY' && 'answers you with its words')}
                        </Text>
                      </div>
                    ))}
                  </dd>
                </>
              )}
              <dt>Id</dt>
              <dd>
                <Id value={template.id} what="the id" />
              </dd>
              <dt>Id at the platform</dt>
              <dd>
                {template.remote_template_id ? (
                  <Id value={template.remote_template_id} what="the platform’s id" />
                ) : (
                  '–'
                )}
              </dd>
              <dt>Created</dt>
              <dd>
                <Moment at={template.created_at} />
              </dd>
              <dt>Changed</dt>
              <dd>
                <Moment at={template.updated_at} />
              </dd>
            </dl>
          </Card>
        </Stack>
        <aside className={classes.side} aria-label="Preview">
          <PhonePreview
            components={template.components}
            valueAt={(slot) => examples[keyOf(slot)]}
            sender={channel?.display_name || channel?.phone_number}
          />
        </aside>
      </div>
    </Page>
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
  const queries = useQueryClient()
  const { mode } = useSession()
  const remove = async (localOnly: boolean) => {
    await api.templates.delete(template.id, localOnly ? { local_only: true } : {})
    await navigate('/templates')
    void queries.invalidateQueries({ queryKey: [mode, 'templates'] })
  }
  const ask = () =>
    askFirst({
      title: `Delete ${template.name}?`,
      consequence: (
        <>
          It is deleted at the platform too, in {languageName(template.language)} only, and its name stays blocked there
          for 30 days. Scheduled campaigns that use it will fail; what was sent stays.
        </>
      ),
      action: 'Delete the template',
      done: `${template.name} was deleted`,
      async run() {
        try {
          await remove(false)
        } catch (error) {
          // No channel leads to its account any more: it can only be forgotten here.
          if (error instanceof ApiError && error.status === 409 && /local_only/.test(error.detail))
            askAgain(error.detail)
          else throw error
        }
      },
    })
  const askAgain = (detail: string) =>
    askFirst({
      title: 'It cannot be deleted at the platform',
      consequence: detail,
      action: 'Remove it here only',
      run: () => remove(true),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label="More actions">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/templates/new?from=${template.id}`} leftSection={<IconCopyPlus size={16} />}>
          Copy to a new template
        </Menu.Item>
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={ask}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
