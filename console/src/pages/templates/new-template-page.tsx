import { ConflictError } from '@frontdesk/sdk'
import {
  Alert,
  Anchor,
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
  Title,
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
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { keyOf, slotsOf } from '../../records/templates/template-parts.ts'
import { categories } from '../../records/templates/template-standing.ts'
import classes from '../../records/templates/templates.module.css'
import { FormError } from '../../ui/form-error.tsx'
import { Page } from '../../ui/page.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { ButtonsField } from './buttons-field.tsx'
import { MessageField } from './message-field.tsx'
import { componentsOf, emptyTemplate, fieldOf, limits, type TemplateValues, valuesFrom } from './template-form.ts'

/** Waits for what the editor starts with: the channels, and the template that is to be copied. */
export function NewTemplatePage() {
  const [parameters] = useSearchParams()
  const from = parameters.get('from')
  const { channels, chatChannels, error, refetch } = useChannels()
  const original = useRecord(['templates', from], (signal) => api.templates.get(from as string, { signal }), {
    enabled: from !== null,
  })
  const failure = error ?? original.error
  // What is being written stays on screen, whatever a later look at these meets.
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
          A template belongs to the business account of one of your numbers, and none is connected to chat in this mode.
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
  // The platform decides: whoever has read what it will say may submit all the same.
  const [mayInsist, setMayInsist] = useState(false)
  const insists = useRef(false)
  const [created, setCreated] = useState<string>()
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
  // Only then does the guard know that nothing is left to lose.
  useEffect(() => {
    if (!created) return
    notifications.show({ message: 'Submitted. The platform’s verdict appears on this page.' })
    void navigate(`/templates/${created}`, { replace: true })
  }, [created, navigate])
  const components = componentsOf(values)
  const slots = slotsOf(components).filter(({ name }) => name !== '')
  const channel = channels.find(({ id }) => id === values.channel_id)
  const category = categories.find(({ value }) => value === values.category)
  return (
    <Page
      title="New template"
      head={
        <div>
          <Anchor component={Link} to="/templates" size="sm">
            Templates
          </Anchor>
          <Title order={1}>New template</Title>
        </div>
      }
    >
      <div className={classes.columns}>
        <form onSubmit={form.onSubmit} noValidate>
          <Stack gap="lg" maw={680}>
            {channels.length > 1 && (
              <Select
                label="Channel"
                description="Its business account owns the template."
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
                description="For you and the platform; customers do not see it."
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
                description="The one that the text is in."
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
              description="The platform checks it, and bills by it."
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
                  onChange={(value) => set('headerFormat', value as TemplateValues['headerFormat'])}
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
                <TextInput
                  mt="xs"
                  label="Handle of a sample file"
                  description={
                    mode === 'test'
                      ? 'Reviewers want to see a sample. The platform gives a handle for an uploaded file; in test mode any word will do.'
                      : 'Reviewers want to see a sample: upload one with the platform’s resumable upload and put its handle here. Campaigns say later which file is sent.'
                  }
                  {...form.field('headerHandle')}
                />
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
              placeholder="Reply STOP to hear no more from us"
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
              <Alert color="yellow" variant="light" title="The platform is likely to refuse this" role="alert">
                <Text size="sm" mb="xs">
                  What it minds is marked above. It decides, not we: you can submit it as it is.
                </Text>
                <Button
                  type="submit"
                  variant="default"
                  size="xs"
                  onClick={() => {
                    insists.current = true
                  }}
                >
                  Submit it all the same
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
        <aside className={classes.side} aria-label="Preview">
          <PhonePreview
            components={components}
            valueAt={(slot) => values.examples[keyOf(slot)]}
            sender={channel?.display_name || channel?.phone_number}
          />
        </aside>
      </div>
    </Page>
  )
}
