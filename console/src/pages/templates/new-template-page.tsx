import { ConflictError } from '@frontdesk/sdk'
import {
  Alert,
  Box,
  Button,
  Group,
  Input,
  Radio,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { FormFaults, useApiForm } from '../../data/use-api-form.ts'
import { useRecord } from '../../data/use-records.ts'
import { NoChatNumber } from '../../records/channels/no-chat-number.tsx'
import { useChannels } from '../../records/channels/use-channels.ts'
import { ExamplesField } from '../../records/templates/examples-field.tsx'
import { languageChoices } from '../../records/templates/languages.ts'
import { MediaField } from '../../records/templates/media-field.tsx'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { keyOf, slotsOf } from '../../records/templates/template-parts.ts'
import { categories } from '../../records/templates/template-status.ts'
import { FormError } from '../../ui/form-error.tsx'
import layout from '../../ui/layout.module.css'
import { Page } from '../../ui/page.tsx'
import { RecordPage } from '../../ui/record-page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { ButtonsField } from './buttons-field.tsx'
import { MessageField } from './message-field.tsx'
import { componentsOf, emptyTemplate, fieldOf, limits, type TemplateValues, valuesFrom } from './template-form.ts'
import classes from './templates.module.css'

/** Loads what the editor starts from: the channels and the template to copy. */
export function NewTemplatePage() {
  const [parameters] = useSearchParams()
  const from = parameters.get('from')
  const { channels, chatChannels, error, refetch } = useChannels()
  const original = useRecord(['templates', from], (signal) => api.templates.get(from as string, { signal }), {
    enabled: from !== null,
  })
  const failure = error ?? original.error
  // Once the editor is open, a failed refetch does not replace it.
  if (!channels || !chatChannels || (from && !original.data))
    return failure ? (
      <ErrorState error={failure} retry={() => void (error ? refetch() : original.refetch())} />
    ) : (
      <Page title="New template">
        <Skeleton height={420} />
      </Page>
    )
  const [first] = chatChannels
  if (!first)
    return (
      <Page title="New template">
        <NoChatNumber>
          Templates belong to the WhatsApp account of one of your numbers. None is connected to chat in this mode.
        </NoChatNumber>
      </Page>
    )
  const start = original.data ? valuesFrom(original.data) : { ...emptyTemplate, channel_id: first.id }
  return <TemplateEditor start={start} channels={chatChannels} />
}

type Channels = NonNullable<ReturnType<typeof useChannels>['chatChannels']>

function TemplateEditor({ start, channels }: { start: TemplateValues; channels: Channels }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode } = useSession()
  // The warnings are predictions. WhatsApp decides, so the member may submit despite them.
  const [mayInsist, setMayInsist] = useState(false)
  const insists = useRef(false)
  const [created, setCreated] = useState<string>()
  const [picture, setPicture] = useState<string>()
  const form = useApiForm<TemplateValues>({
    initialValues: start,
    fieldOf,
    async submit(values) {
      const { channel_id, name, language, category } = values
      const body = { channel_id, name, language, category, components: componentsOf(values) }
      const { warnings } = await api.templates.preflight(body)
      setMayInsist(warnings.length > 0)
      if (warnings.length > 0 && !insists.current) throw new FormFaults(warnings)
      const template = await api.templates.create(body).catch((error: unknown) => {
        throw error instanceof ConflictError ? new FormFaults([{ loc: ['body', 'name'], msg: error.detail }]) : error
      })
      void queries.invalidateQueries({ queryKey: [mode, 'templates'] })
      setCreated(template.id)
    },
  })
  const { values, errors, set } = form
  useUnsavedGuard(form.isDirty && !created)
  // The unsaved-changes guard has to see the saved form first.
  useEffect(() => {
    if (!created) return
    notifications.show({ message: 'Submitted. The result of the review appears on this page.' })
    void navigate(`/templates/${created}`, { replace: true })
  }, [created, navigate])
  const components = componentsOf(values)
  const slots = slotsOf(components).filter(({ name }) => name !== '')
  const channel = channels.find(({ id }) => id === values.channel_id)
  const category = categories.find(({ value }) => value === values.category)
  return (
    <RecordPage list={{ to: '/templates', label: 'Templates' }} title="New template">
      <div className={layout.columns}>
        <form onSubmit={form.onSubmit} noValidate>
          <Stack gap="lg" maw={680}>
            {channels.length > 1 && (
              <Select
                label="Channel"
                description="Its WhatsApp account owns the template"
                data={channels.map(({ id, display_name, phone_number }) => ({
                  value: id,
                  label: [display_name, phone_number].filter(Boolean).join(' · '),
                }))}
                allowDeselect={false}
                {...form.control('channel_id')}
                value={values.channel_id}
              />
            )}
            <Group align="flex-start" grow preventGrowOverflow={false}>
              <TextInput
                label="Name"
                description="Not visible to customers"
                placeholder="appointment_reminder"
                autoFocus
                required
                {...form.field('name')}
                onChange={(event) =>
                  set(
                    'name',
                    event.currentTarget.value
                      .toLowerCase()
                      .replace(/[\s-]+/g, '_')
                      .slice(0, limits.name),
                  )
                }
                miw={240}
              />
              <Select
                label="Language"
                description="Language of the text"
                data={languageChoices}
                searchable
                allowDeselect={false}
                {...form.control('language')}
                value={values.language}
                miw={200}
              />
            </Group>
            <Radio.Group
              label="Category"
              description="WhatsApp checks the category and bills by it"
              {...form.control('category')}
              value={values.category}
            >
              <Group mt="xs" gap="lg">
                {categories.map(({ value, label }) => (
                  <Radio key={value} value={value} label={label} />
                ))}
              </Group>
              <Text size="sm" c="dimmed" mt={6}>
                {category?.meaning}
              </Text>
            </Radio.Group>
            <Box>
              <Input.Label component="div" id="header-kind">
                Header
              </Input.Label>
              <Box mt={4} className={classes.scrolling}>
                <SegmentedControl
                  aria-labelledby="header-kind"
                  size="xs"
                  value={values.headerFormat}
                  onChange={(value) => {
                    set('headerFormat', value as TemplateValues['headerFormat'])
                    set('headerHandle', '')
                    setPicture(undefined)
                  }}
                  data={[
                    { value: 'NONE', label: 'None' },
                    { value: 'TEXT', label: 'Text' },
                    { value: 'IMAGE', label: 'Image' },
                    { value: 'VIDEO', label: 'Video' },
                    { value: 'DOCUMENT', label: 'Document' },
                  ]}
                />
              </Box>
              {values.headerFormat === 'TEXT' && (
                <Box mt="xs">
                  <MessageField
                    label="Header text"
                    value={values.headerText}
                    error={errors.headerText}
                    most={limits.header}
                    onChange={(text) => set('headerText', text)}
                  />
                </Box>
              )}
              {values.headerFormat !== 'TEXT' && values.headerFormat !== 'NONE' && (
                <Box mt="xs">
                  <MediaField
                    key={values.headerFormat}
                    label="Sample file"
                    description="WhatsApp’s reviewers see this file. You choose the file to send in each campaign."
                    format={values.headerFormat}
                    channelId={values.channel_id}
                    isSample
                    error={errors.headerHandle}
                    onUploaded={({ media, address }) => {
                      set('headerHandle', media.handle ?? '')
                      setPicture(address)
                    }}
                  />
                </Box>
              )}
            </Box>
            <MessageField
              label="Body"
              isLong
              placeholder={'Hello {{1}}, we look forward to seeing you tomorrow at *10:30*.'}
              value={values.bodyText}
              error={errors.bodyText}
              most={limits.body}
              onChange={(text) => set('bodyText', text)}
            />
            <MessageField
              label="Footer"
              mayHoldVariables={false}
              placeholder="Reply STOP to opt out"
              value={values.footerText}
              error={errors.footerText}
              most={limits.footer}
              onChange={(text) => set('footerText', text)}
            />
            <ButtonsField
              buttons={values.buttons}
              errors={errors as Record<string, string>}
              onChange={(buttons) => set('buttons', buttons)}
            />
            <ExamplesField
              slots={slots}
              examples={values.examples}
              onChange={(examples) => set('examples', examples)}
            />
            <FormError form={form} />
            {mayInsist && !form.isWorking && Object.keys(errors).length > 0 && (
              <Alert color="yellow" variant="light" title="WhatsApp is likely to reject this" role="alert">
                <Text size="sm" mb="xs">
                  See the marked fields above. You can still submit it.
                </Text>
                <Button
                  type="submit"
                  variant="default"
                  size="xs"
                  onClick={() => {
                    insists.current = true
                  }}
                >
                  Submit anyway
                </Button>
              </Alert>
            )}
            <Group gap="xs">
              <Button
                type="submit"
                loading={form.isWorking}
                onClick={() => {
                  insists.current = false
                }}
              >
                Submit for review
              </Button>
              <Button component={Link} to="/templates" variant="subtle" color="gray">
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
        <aside className={layout.side} aria-label="Preview">
          <PhonePreview
            components={components}
            valueAt={(slot) => (slot.name === '' ? picture : values.examples[keyOf(slot)])}
            sender={channel?.display_name || channel?.phone_number}
          />
        </aside>
      </div>
    </RecordPage>
  )
}
