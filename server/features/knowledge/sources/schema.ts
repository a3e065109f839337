import Type, { type Static } from 'typebox'
import { Nullable, OneOf } from '../../../platform/schemas.ts'
import { NewFaq } from '../faqs/schema.ts'
import { Document } from '../schema.ts'
import { Website, WebsiteUrl, websiteKinds, websiteSettings } from '../websites/schema.ts'

const addedKinds = ['file', ...websiteKinds, 'faq'] as const

export const NewSource = Type.Object(
  {
    kind: OneOf([...websiteKinds, 'faq'] as const, {
      description:
        '`page`: one web page. `site`: the pages below a start page. `sitemap`: the pages that a sitemap lists. `faq`: a question with its answer',
    }),
    url: Type.Optional(WebsiteUrl),
    ...Type.Partial(Type.Object(websiteSettings)).properties,
    ...Type.Partial(NewFaq).properties,
  },
  { examples: [{ kind: 'site', url: 'https://example.com/help/', max_pages: 200, schedule: 'weekly' }] },
)
export type NewSource = Static<typeof NewSource>

export const SourceForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description:
      'PDF, Word, text, Markdown, HTML, CSV, Excel, PowerPoint, EPUB, OpenDocument text, RTF, or a picture where text recognition is configured',
    fillIn: 'a document of yours',
  }),
})

export const AddedSource = Type.Object(
  {
    kind: OneOf(addedKinds),
    document: Nullable(Document),
    website: Nullable(Website),
  },
  {
    title: 'AddedSource',
    description: 'A file and an FAQ are a `document`; pages are read later, and belong to a `website`',
  },
)
export type AddedSource = Static<typeof AddedSource>

export const ReplacementForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'The new version, of any kind that `POST /knowledge-base/sources` accepts',
    fillIn: 'a document of yours',
  }),
})
