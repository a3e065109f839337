import Type, { type Static } from 'typebox'
import { Id, Instant, Nullable, OneOf } from '../../platform/schemas.ts'
import { documentTypes } from './parsing/document.ts'

const sourceKinds = ['file', 'web_page', 'faq'] as const

/** Where a document came from. Only the members that its kind has are there. */
export const DocumentSource = Type.Object(
  {
    kind: OneOf(sourceKinds),
    file_kind: Type.Optional(Type.String({ description: 'Kind of the file', examples: ['xlsx'] })),
    url: Type.Optional(Type.String({ description: 'Address of the web page', examples: ['https://example.com/help'] })),
    website_id: Type.Optional(Id),
    crawled_at: Type.Optional(Instant),
  },
  { title: 'DocumentSource' },
)
export type DocumentSource = Static<typeof DocumentSource>

const Replacement = Type.Object(
  {
    file_name: Type.String({ examples: ['handbook-2027.pdf'] }),
    status: OneOf(['processing', 'failed'] as const),
    error: Nullable(Type.String({ description: 'Why the new version could not be read' })),
    created_at: Instant,
  },
  {
    title: 'DocumentReplacement',
    description: 'The new version that is being read, or that could not be read. Searches find the old one meanwhile',
  },
)

export const Document = Type.Object(
  {
    id: Id,
    organization_id: Id,
    document_type: OneOf(documentTypes),
    file_name: Type.String({ description: 'Original file name', examples: ['handbook.pdf'] }),
    status: OneOf(['processing', 'ready', 'failed'] as const, {
      description: 'Searches find a document once it is `ready`',
    }),
    error: Nullable(
      Type.String({
        description: 'Why processing failed',
        examples: ['The PDF is protected with a password.'],
      }),
    ),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Progress of the processing', examples: [1] }),
    size_bytes: Type.Integer({ minimum: 0, examples: [482_113] }),
    sha256: Type.String({
      description: 'SHA-256 of the file, hexadecimal',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    chunk_count: Type.Integer({
      minimum: 0,
      description: 'Number of searchable chunks; 0 until the document is ready',
    }),
    language: Nullable(
      Type.String({
        description: 'Language used for keyword search; `simple` if unknown, null until the document is ready',
        examples: ['english'],
      }),
    ),
    embedding_model: Nullable(
      Type.String({
        description: 'Embedding model used for vector search; null while only keyword search finds the document',
        examples: ['all-MiniLM-L6-v2'],
      }),
    ),
    source: Type.Unsafe<DocumentSource | null>({
      ...DocumentSource,
      type: ['object', 'null'],
      description: 'Where it came from; null for an upload. Such a document has the `document_type` `txt`',
    }),
    replacement: Nullable(Replacement),
    collection_ids: Type.Array(Id, { description: 'Collections that it is in', examples: [[]] }),
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
    description: 'A `.pdf`, `.docx` or `.txt` file whose content matches its extension',
    fillIn: 'a document of yours',
  }),
})

const searchModes = ['hybrid', 'vector', 'keyword'] as const

export const Search = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 10_000,
      pattern: '\\S',
      description: 'A question or keywords. A phrase in double quotes must match exactly, if it occurs at all',
      examples: ['How long does a refund take?'],
    }),
    top_k: Type.Integer({ minimum: 1, maximum: 50, default: 5, description: 'Maximum number of results' }),
    document_ids: Type.Optional(
      Nullable(
        Type.Array(Id, {
          maxItems: 1000,
          description: 'Search only these documents; unknown ids are ignored',
        }),
      ),
    ),
    collection_ids: Type.Optional(
      Nullable(
        Type.Array(Id, {
          maxItems: 1000,
          description:
            'Search only the documents of these collections, and those of `document_ids`; unknown ids are ignored',
        }),
      ),
    ),
    mode: OneOf(searchModes, {
      default: 'hybrid',
      description: 'By keywords (`keyword`), by meaning (`vector`), or by both (`hybrid`)',
    }),
    timeout_ms: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: 60_000,
          description: 'Time limit. When it is reached, the response has the passages found so far and `partial: true`',
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
    page: Nullable(Type.Integer({ minimum: 1, description: 'Page number, if the document has pages' })),
    heading: Type.String({
      description: 'Headings above the passage, outermost first',
      examples: ['Orders › Refunds'],
    }),
    start_offset: Type.Integer({ minimum: 0, description: 'First character, counted in the extracted text' }),
    end_offset: Type.Integer({ minimum: 0, description: 'Character after the last one' }),
    text: Type.String({ examples: ['Refunds are paid within 14 days of …'] }),
    score: Type.Number({ description: 'Higher is better; comparable within one response only', examples: [0.87] }),
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
        description:
          'Present and true if passages may be missing: the time limit was reached, or one half of the search failed',
      }),
    ),
  },
  { title: 'SearchResults' },
)
export type SearchResults = Static<typeof SearchResults>
