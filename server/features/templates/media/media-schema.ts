import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { exampleId, Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

export const TemplateMedia = Type.Object(
  {
    id: { ...Id, description: 'Use it as the value of `header` or `card.0.header` in `template_variables`' },
    handle: Nullable(
      Type.String({
        description: 'Use it as `example.header_handle` of a header; null if no sample was asked for',
        examples: ['4::aW1hZ2UvcG5n'],
      }),
    ),
    format: OneOf(['IMAGE', 'VIDEO', 'DOCUMENT'] as const, { description: 'Of headers that can show it' }),
    mime_type: Type.String({ examples: ['image/png'] }),
    file_name: Type.String({ examples: ['spring.png'] }),
    size_bytes: Type.Integer({ examples: [48213] }),
    created_at: Instant,
  },
  { title: 'TemplateMedia' },
)
export type TemplateMedia = Static<typeof TemplateMedia>

export const TemplateMediaForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      description: 'JPEG or PNG up to 5 MB, MP4 up to 16 MB, or PDF up to 100 MB',
      fillIn: 'a picture, video or PDF of yours',
    }),
    channel_id: { ...Id, description: 'The channel whose business account gets the sample' },
    sample: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether to upload it as a sample; false for a file that is only sent',
      }),
    ),
  },
  {
    title: 'TemplateMediaForm',
    examples: [{ file: 'spring.png', channel_id: exampleId('channel_id') }],
  },
)

export const TemplateMediaFilter = Type.Object(CursorQuery)
export type TemplateMediaFilter = Static<typeof TemplateMediaFilter>
export const TemplateMediaPage = CursorPage(TemplateMedia)

export const TemplateMediaPath = Type.Object({ media_id: Id })
