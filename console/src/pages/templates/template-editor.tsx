import { ConflictError, type api as types } from '@frontdesk/sdk'
import { Alert, Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { api } from '../../data/api.ts'
import { useSession } from '../../data/session.tsx'
import { FormFaults, useApiForm } from '../../data/use-api-form.ts'
import { ExamplesField } from '../../records/templates/examples-field.tsx'
import { PhonePreview } from '../../records/templates/phone-preview.tsx'
import { slotsOf, valueAt } from '../../records/templates/template-parts.ts'
import { trialValuesOf } from '../../records/templates/test-send.tsx'
import { FormError } from '../../ui/form-error.tsx'
import layout from '../../ui/layout.module.css'
import { RecordPage } from '../../ui/record-page.tsx'
import { showDone } from '../../ui/undo.tsx'
import { useUnsavedGuard } from '../../ui/unsaved.tsx'
import { ButtonsField } from './buttons-field.tsx'
import { CardsField } from './cards-field.tsx'
import { CategoryField } from './category-field.tsx'
import { CodeFields } from './code-fields.tsx'
import { HeaderField } from './header-field.tsx'
import { LifetimeField } from './lifetime-field.tsx'
import { MessageField } from './message-field.tsx'
import { NamingFields } from './naming-fields.tsx'
import { componentsOf } from './template-components.ts'
import { check, fieldOf } from './template-faults.ts'
import { kinds } from './template-kinds.ts'
import { limits, type TemplateValues } from './template-values.ts'

/** The API speaks of the platform; here it is WhatsApp. */
const inConsoleWords = ({ loc, msg }: types.TemplatePreflight['warnings'][number]) => ({
  loc,
  msg: msg.replace(/\bthe platform\b/gi, 'WhatsApp'),
})

export function TemplateEditor({ start, channels }: { start: TemplateValues; channels: types.Channel[] }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mode } = useSession()
  // The warnings are predictions. WhatsApp decides, so the member may submit despite them.
  const [mayInsist, setMayInsist] = useState(false)
  const insists = useRef(false)
  const [created, setCreated] = useState<string>()
  const form = useApiForm<TemplateValues>({
    initialValues: start,
    fieldOf,
    check(values) {
      setMayInsist(false)
      return check(values)
    },
    async submit(values) {
      const { channel_id, name, language, category, message_send_ttl_seconds: seconds } = values
      const body = {
        channel_id,
        name,
        language,
        category,
        components: componentsOf(values),
        ...(seconds && { message_send_ttl_seconds: Number(seconds) }),
      }
      const { warnings } = await api.templates.preflight(body)
      setMayInsist(warnings.length > 0)
      if (warnings.length > 0 && !insists.current) throw new FormFaults(warnings.map(inConsoleWords))
      const template = await api.templates.create(body).catch((error: unknown) => {
        throw error instanceof ConflictError ? new FormFaults([{ loc: ['body', 'name'], msg: error.detail }]) : error
      })
      void queries.invalidateQueries({ queryKey: [mode, 'templates'] })
      setCreated(template.id)
    },
  })
  const { values, set } = form
  const errors = form.errors as Partial<Record<string, string>>
  useUnsavedGuard(form.isDirty && !created)
  // The unsaved-changes guard has to see the saved form first.
  useEffect(() => {
    if (!created) return
    showDone('Submitted. The result of the review appears on this page.')
    void navigate(`/templates/${created}`, { replace: true })
  }, [created, navigate])
  const { kind } = values
  const rules = kinds[kind]
  const components = componentsOf(values)
  const shown = { ...trialValuesOf({ components }), ...values.examples, ...filesOf(values) }
  const channel = channels.find(({ id }) => id === values.channel_id)
  return (
    <RecordPage
      list={{ to: '/templates', label: 'Templates' }}
      title="New template"
      details={
        <>
          {rules.label} ·{' '}
          <Anchor component={Link} to="/templates/new" inherit underline="always">
            Choose another kind
          </Anchor>
        </>
      }
    >
      <div className={layout.columns}>
        <form onSubmit={form.onSubmit} noValidate>
          <Stack gap="lg" maw={680}>
            <NamingFields form={form} channels={channels} />
            <CategoryField
              allowed={rules.categories}
              value={values.category}
              error={errors.category}
              onChange={(category) => {
                set('category', category)
                set('message_send_ttl_seconds', '')
              }}
            />
            {kind === 'code' ? (
              <CodeFields values={values} errors={errors} set={set} />
            ) : (
              <>
                <HeaderField formats={rules.headers} values={values} errors={errors} set={set} />
                {kind === 'offer' && (
                  <Stack gap="xs">
                    <MessageField
                      label="Offer"
                      mayHoldVariables={false}
                      placeholder="Only this week"
                      value={values.offerText}
                      error={errors.offerText}
                      most={limits.offer}
                      onChange={(text) => set('offerText', text)}
                    />
                    <Checkbox
                      label="Count down to its end"
                      description="You choose the end in each campaign."
                      checked={values.offerEnds}
                      onChange={({ currentTarget }) => set('offerEnds', currentTarget.checked)}
                    />
                  </Stack>
                )}
                <MessageField
                  label="Body"
                  isLong
                  placeholder={'Hello {{1}}, we look forward to seeing you tomorrow at *10:30*.'}
                  value={values.bodyText}
                  error={errors.bodyText}
                  most={rules.mostBody}
                  onChange={(text) => set('bodyText', text)}
                />
                {rules.hasFooter && (
                  <MessageField
                    label="Footer"
                    mayHoldVariables={false}
                    placeholder="Reply STOP to opt out"
                    value={values.footerText}
                    error={errors.footerText}
                    most={limits.footer}
                    onChange={(text) => set('footerText', text)}
                  />
                )}
                {kind === 'carousel' && (
                  <CardsField
                    values={values}
                    errors={errors}
                    change={(members) => {
                      for (const [name, value] of Object.entries(members)) set(name as keyof TemplateValues, value)
                    }}
                  />
                )}
                <ButtonsField
                  types={rules.buttons}
                  buttons={values.buttons}
                  errors={errors}
                  onChange={(buttons) => set('buttons', kind === 'offer' ? codeFirst(buttons) : buttons)}
                />
                <ExamplesField
                  slots={slotsOf(components)}
                  examples={values.examples}
                  onChange={(examples) => set('examples', examples)}
                />
              </>
            )}
            <LifetimeField
              category={values.category}
              value={values.message_send_ttl_seconds}
              error={errors.message_send_ttl_seconds}
              onChange={(seconds) => set('message_send_ttl_seconds', seconds)}
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
            valueAt={(place) => valueAt(shown, place)}
            sender={channel?.display_name || channel?.phone_number}
          />
        </aside>
      </div>
    </RecordPage>
  )
}

/** WhatsApp wants the code of an offer before its link. */
const codeFirst = (buttons: TemplateValues['buttons']) => [
  ...buttons.filter(({ type }) => type === 'COPY_CODE'),
  ...buttons.filter(({ type }) => type !== 'COPY_CODE'),
]

/** The files of the headers, by their places. */
const filesOf = ({ header, cards }: TemplateValues): Record<string, string> => ({
  header: header.file,
  ...Object.fromEntries(cards.map(({ file }, i) => [`card.${i}.header`, file])),
})
