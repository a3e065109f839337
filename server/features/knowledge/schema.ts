import Type, { type Static } from 'typebox'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { documentTypes } from './parsing/document.ts'

export const Document = Type.Object(
  {
    id: Id,
    organization_id: Id,
    document_type: OneOf(documentTypes),
    file_name: Type.String({ description: 'As it was called when it was uploaded', examples: ['handbook.pdf'] }),
    status: OneOf(['processing', 'ready', 'failed'] as const, {
      description: 'A search finds a document once it is `ready`, and then all of it',
    }),
    error: Nullable(
      Type.String({
        description: 'Why it failed, in a sentence for people',
        examples: ['The PDF is protected with a password.'],
      }),
    ),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'How far its processing has come', examples: [1] }),
    size_bytes: Type.Integer({ minimum: 0, examples: [482_113] }),
    sha256: Type.String({
      description: 'Of the bytes, hexadecimal',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    chunk_count: Type.Integer({ minimum: 0, description: 'Pieces that can be found; 0 until it is ready' }),
    language: Nullable(
      Type.String({
        description: 'What its words are read as; `simple` where the language is unknown, null until it is ready',
        examples: ['english'],
      }),
    ),
    embedding_model: Nullable(
      Type.String({
        description: 'The model that finds it by meaning; null while it is found by its words only',
        examples: ['all-MiniLM-L6-v2'],
      }),
    ),
    livemode: Type.Boolean(),
    uploaded_at: Instant,
    updated_at: Instant,
  },
  { title: 'Document' },
)
export type Document = Static<typeof Document>

export const DocumentList = Type.Object({ documents: Type.Array(Document) }, { title: 'DocumentList' })
export const DocumentPath = Type.Object({ document_id: Id })

export const DocumentForm = Type.Object({
  file: Type.String({
    format: 'binary',
    description: 'A `.pdf`, `.docx` or `.txt` file that is what its name says',
    fillIn: 'a document of yours',
  }),
})

export const searchModes = ['hybrid', 'vector', 'keyword'] as const
export type SearchMode = (typeof searchModes)[number]

export const Search = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 10_000,
      pattern: '\\S',
      description: 'A question or some words. What stands in double quotes must occur just so, where it occurs at all',
      examples: ['How long does a refund take?'],
    }),
    top_k: Type.Integer({ minimum: 1, maximum: 50, default: 5, description: 'How many results at most' }),
    document_ids: Type.Optional(
      Nullable(
        Type.Array(Id, {
          maxItems: 1000,
          description: 'Look in these documents only; those that are not there find nothing',
        }),
      ),
    ),
    mode: OneOf(searchModes, {
      default: 'hybrid',
      description: 'By words (`keyword`), by meaning (`vector`), or by both',
    }),
    timeout_ms: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 60_000,
          description: 'After this long the answer is what was found until then, marked `partial`',
        }),
      ),
    ),
  },
  { examples: [{ query: 'How long does a refund take?', top_k: 5, mode: 'hybrid' }] },
)
export type Search = Static<typeof Search>

export const SearchResult = Type.Object(
  {
    chunk_id: Id,
    document_id: Id,
    file_name: Type.String({ examples: ['handbook.pdf'] }),
    page: Nullable(Type.Integer({ minimum: 1, description: 'Where the document has pages' })),
    heading: Type.String({ description: 'The headings above it, outermost first', examples: ['Orders › Refunds'] }),
    start_offset: Type.Integer({ minimum: 0, description: 'In characters of the extracted text' }),
    end_offset: Type.Integer({ minimum: 0, description: 'Behind its last character' }),
    text: Type.String({ examples: ['Refunds are paid within 14 days of …'] }),
    score: Type.Number({ description: 'Higher is better; comparable within one answer only', examples: [0.87] }),
  },
  { title: 'SearchResult' },
)
export type SearchResult = Static<typeof SearchResult>

export const SearchResults = Type.Object(
  {
    results: Type.Array(SearchResult, { description: 'Best first' }),
    took_ms: Type.Number({ minimum: 0, examples: [12.5] }),
    partial: Type.Optional(
      Type.Boolean({
        description: 'There and true when something was left out: time was up, or a half did not answer',
      }),
    ),
  },
  { title: 'SearchResults' },
)
export type SearchResults = Static<typeof SearchResults>
