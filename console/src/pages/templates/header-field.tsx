import { Box, Input, SegmentedControl, Text } from '@mantine/core'
import { MediaField } from '../../records/templates/media-field.tsx'
import type { HeaderFormat } from '../../records/templates/template-parts.ts'
import { MessageField } from './message-field.tsx'
import { limits, type TemplateValues } from './template-values.ts'
import classes from './templates.module.css'

const labels: Record<HeaderFormat | 'NONE', string> = {
  NONE: 'None',
  TEXT: 'Text',
  IMAGE: 'Image',
  VIDEO: 'Video',
  DOCUMENT: 'Document',
  LOCATION: 'Map',
}

/** The header: what is above the body. A kind of template with one format leaves nothing to choose. */
export function HeaderField({
  formats,
  values: { headerFormat, headerText, header, channel_id },
  errors,
  set,
}: {
  formats: (HeaderFormat | 'NONE')[]
  values: TemplateValues
  errors: Partial<Record<string, string>>
  set<Name extends keyof TemplateValues>(name: Name, value: TemplateValues[Name]): void
}) {
  if (headerFormat === 'NONE' && formats.length === 1) return null
  return (
    <Box>
      {formats.length > 1 && (
        <>
          <Input.Label component="div" id="header-kind">
            Header
          </Input.Label>
          <Box mt={4} mb="xs" className={classes.scrolling}>
            <SegmentedControl
              aria-labelledby="header-kind"
              size="xs"
              value={headerFormat}
              onChange={(format) => {
                set('headerFormat', format as TemplateValues['headerFormat'])
                set('header', { handle: '', file: '' })
              }}
              data={formats.map((value) => ({ value, label: labels[value] }))}
            />
          </Box>
        </>
      )}
      {headerFormat === 'TEXT' && (
        <MessageField
          label="Header text"
          value={headerText}
          error={errors.headerText}
          most={limits.header}
          onChange={(text) => set('headerText', text)}
        />
      )}
      {headerFormat === 'LOCATION' && (
        <Text size="sm" c="dimmed">
          A map above the text. You choose the place when you send it.
        </Text>
      )}
      {(headerFormat === 'IMAGE' || headerFormat === 'VIDEO' || headerFormat === 'DOCUMENT') && (
        <MediaField
          key={headerFormat}
          label="Sample file"
          description="WhatsApp’s reviewers see this file. You choose the file to send in each campaign."
          format={headerFormat}
          channelId={channel_id}
          isSample
          hasFile={header.handle !== ''}
          value={header.file}
          error={errors.header}
          onChange={(file, media) => set('header', { file, handle: media?.handle ?? '' })}
        />
      )}
    </Box>
  )
}
