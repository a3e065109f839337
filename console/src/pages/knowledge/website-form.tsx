import type { api as types } from '@frontdesk/sdk'
import { Modal, NumberInput, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { api } from '../../data/api.ts'
import { useApiForm } from '../../data/use-api-form.ts'
import { DialogForm } from '../../ui/dialog-form.tsx'
import { linesOf } from '../../ui/lines-of.ts'
import { kindWords, scheduleWords } from './website-state.tsx'

interface Props {
  /** Undefined for a new one. */
  website?: types.Website | undefined
  close(): void
  onSaved(): void
}

export function WebsiteForm({ opened, ...props }: Props & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.close} title={props.website ? 'Edit website' : 'Add website'} size="lg">
      <Form {...props} />
    </Modal>
  )
}

const examples = {
  page: 'https://example.com/opening-hours',
  site: 'https://example.com/help/',
  sitemap: 'https://example.com/sitemap.xml',
}

function Form({ website, close, onSaved }: Props) {
  const form = useApiForm({
    initialValues: {
      kind: website?.kind ?? ('site' as types.Website['kind']),
      url: website?.url ?? '',
      include: website?.include.join('\n') ?? '',
      exclude: website?.exclude.join('\n') ?? '',
      max_pages: website?.max_pages ?? 500,
      schedule: website?.schedule ?? ('weekly' as types.Website['schedule']),
    },
    async submit({ kind, url, include, exclude, max_pages, schedule }) {
      const limits = kind === 'page' ? {} : { include: linesOf(include), exclude: linesOf(exclude), max_pages }
      await (website
        ? api.websites.update(website.id, { ...limits, schedule })
        : api.knowledge.addSource({ kind, url, schedule, ...limits }))
      onSaved()
    },
  })
  const { values } = form
  return (
    <DialogForm form={form} action={website ? 'Save changes' : 'Add website'} cancel={close}>
      {!website && (
        <>
          <SegmentedControl
            aria-label="What to read"
            value={values.kind}
            onChange={(kind) => form.set('kind', kind as types.Website['kind'])}
            data={Object.entries(kindWords).map(([value, label]) => ({ value, label }))}
          />
          <TextInput
            label="Address"
            placeholder={examples[values.kind]}
            required
            data-autofocus
            inputMode="url"
            {...form.field('url')}
          />
        </>
      )}
      {values.kind !== 'page' && (
        <>
          <NumberInput
            label="Maximum pages"
            min={1}
            max={2000}
            value={values.max_pages}
            onChange={(value) => form.set('max_pages', Number(value) || 1)}
            error={form.errors.max_pages}
          />
          <Textarea
            label="Only these paths"
            description="One per line. Empty for all pages below the address. * stands for any characters."
            placeholder="/help/"
            autosize
            minRows={1}
            maxRows={6}
            {...form.field('include')}
          />
          <Textarea
            label="Not these paths"
            description="One per line"
            placeholder="/help/archive/"
            autosize
            minRows={1}
            maxRows={6}
            {...form.field('exclude')}
          />
        </>
      )}
      <Select
        label="Crawl again"
        data={Object.entries(scheduleWords).map(([value, label]) => ({ value, label }))}
        value={values.schedule}
        allowDeselect={false}
        onChange={(schedule) => form.set('schedule', schedule as types.Website['schedule'])}
      />
    </DialogForm>
  )
}
