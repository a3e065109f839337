import Type, { type Static } from 'typebox'
import { languageDataFile, languageDataPackage } from '../platform/language-data.ts'
import { readModelFolder } from '../providers/embeddings/model-folder.ts'
import { baseUrl, secret, together } from './setting.ts'

export const KnowledgeSettings = Type.Object(
  {
    CRAWL_MAX_PAGES: Type.Integer({
      minimum: 1,
      maximum: 2000,
      default: 2000,
      description: 'Most pages of one website that the knowledge base reads.',
    }),
    CRAWL_DELAY_MS: Type.Integer({
      minimum: 0,
      maximum: 60_000,
      default: 1000,
      description:
        'Least time between two requests to the same web server, in milliseconds, over all organizations. A longer `Crawl-delay` in robots.txt is respected up to 10 seconds.',
    }),
    CRAWL_USER_AGENT: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_-]*(/.*)?$',
      default: 'FrontdeskBot/1.0',
      description: 'User agent of requests for web pages. robots.txt addresses it by the name before the slash.',
    }),
    OCR: Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]{3,4})?$' }), {
      default: [],
      description:
        'Languages of text recognition for images and scanned PDFs in the knowledge base, as Tesseract names them, separated by commas: `eng`, or `eng,deu`. The data of `eng` is installed; for others install the package `@tesseract.js-data/…`. If unset, such files fail.',
    }),
    LOCAL_EMBEDDING_MODEL: Type.Optional(
      Type.String({
        description:
          'Folder of an embedding model to use in place of the built-in English one, such as `/models/multilingual-e5-small`: `onnx/model.onnx`, `tokenizer.json` and `config.json`, as Hugging Face has them. All nodes need the same files. After a change, documents are embedded again in the background.',
      }),
    ),
    EMBEDDINGS_BASE_URL: Type.Optional(
      Type.String({
        pattern: baseUrl,
        description:
          'A server with an OpenAI-compatible `POST {this}/embeddings`, such as `https://api.openai.com/v1`. It embeds live documents and questions. Test mode, and live mode if this is unset, use the local model. Requires `EMBEDDINGS_MODEL`.',
      }),
    ),
    EMBEDDINGS_API_KEY: secret({ description: 'API key for the embeddings server, if it needs one.' }),
    EMBEDDINGS_MODEL: Type.Optional(
      Type.String({
        description:
          'Model of the embeddings server. After a change, documents are embedded again in the background; searches use the old vectors until then.',
      }),
    ),
    EMBEDDINGS_DIMENSIONS: Type.Integer({
      minimum: 1,
      maximum: 16_384,
      default: 1536,
      description: 'Number of dimensions of the model’s vectors.',
    }),
    VECTOR_INDEX: Type.Union([Type.Literal('exact'), Type.Literal('pgvector')], {
      default: 'exact',
      description:
        'How vectors are compared: `exact` compares all vectors of an organization in this process; `pgvector` uses the PostgreSQL extension `vector`, which must be installed.',
    }),
    VECTOR_MEMORY_BYTES: Type.Integer({
      minimum: 1024 * 1024,
      maximum: 4 * 1024 * 1024 * 1024 - 65_536,
      default: 128 * 1024 * 1024,
      description: 'Memory for the vectors of the exact index, in bytes; the default holds about 150,000 chunks.',
    }),
    POSTINGS_MEMORY_BYTES: Type.Integer({
      minimum: 0,
      default: 128 * 1024 * 1024,
      description:
        'Memory for the words of documents, in bytes; the default holds about 150,000 chunks. Searches of an organization that does not fit are ranked in PostgreSQL; 0 does so for all.',
    }),
    KEYWORD_WEIGHT: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.45,
      description:
        'Weight of the keyword ranking in a hybrid search if documents contain all words of the question, a third of it if they contain none; the vector ranking gets the rest.',
    }),
    KNOWLEDGE_SEARCH_MS: Type.Integer({
      minimum: 100,
      maximum: 60_000,
      default: 2000,
      description:
        'Time limit of an agent’s search in its documents, in milliseconds. The agent then answers with what was found. On calls the limit is 40 % of this, because callers hear the silence.',
    }),
  },
  { title: 'Knowledge base' },
)

type KnowledgeSettings = Static<typeof KnowledgeSettings>

export function* knowledgeProblems(settings: KnowledgeSettings): Iterable<string> {
  for (const language of settings.OCR)
    if (!languageDataFile(language))
      yield `OCR needs the package ${languageDataPackage(language)} for ${language}: install it, or leave it out`
  yield* together(settings, 'EMBEDDINGS_BASE_URL', 'EMBEDDINGS_MODEL')
  if (settings.LOCAL_EMBEDDING_MODEL !== undefined)
    try {
      readModelFolder(settings.LOCAL_EMBEDDING_MODEL)
    } catch (error) {
      yield `LOCAL_EMBEDDING_MODEL: ${(error as Error).message}`
    }
}
