import Type, { type Static } from 'typebox'
import { CursorPage, CursorQuery } from '../../../platform/http/pagination.ts'
import { Id, Instant, Nullable, OneOf } from '../../../platform/schemas.ts'

const dryRun = Type.Boolean({ description: 'Validate the file and count rows without writing contacts' })
const onConflict = OneOf(['skip', 'update'] as const, {
  description:
    'What to do with a row whose phone number already has a contact: skip it, or update the contact with the row’s values (empty cells are ignored, custom fields are merged)',
})
const defaultCountry = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'Country of phone numbers without `+`, as two letters; by default the organization’s',
  examples: ['US'],
})
const fileName = Type.String({ examples: ['contacts.csv'] })
const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Import = Type.Object(
  {
    id: Id,
    organization_id: Id,
    state: OneOf(['queued', 'running', 'completed', 'failed'] as const),
    counts: Type.Object({
      rows: count('Rows processed'),
      created: count('Contacts created'),
      updated: count('Rows that updated an existing contact'),
      skipped: count('Rows skipped because the contact exists'),
      invalid: count('Invalid rows'),
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the file that has been read' }),
    dry_run: dryRun,
    on_conflict: onConflict,
    default_country: Nullable(defaultCountry),
    file_name: fileName,
    encoding: Type.String({
      description: 'Detected text encoding of the file',
      examples: ['utf-8'],
    }),
    error: Nullable(Type.String({ description: 'Why the import failed' })),
    livemode: Type.Boolean(),
    created_at: Instant,
    completed_at: Nullable(Instant),
  },
  { title: 'ContactImport' },
)
export type Import = Static<typeof Import>

/** Upper bound of the stored errors; further ones are only counted. */
export const maxKeptErrors = 1000

export const RowError = Type.Object({
  row: Type.Integer({ description: 'Row number as in a spreadsheet: the header is row 1' }),
  column: Type.String({
    description: 'Name of the invalid column; empty if the whole row is invalid',
    examples: ['phone'],
  }),
  message: Type.String({ examples: ['Not a possible phone number'] }),
})
export type RowError = Static<typeof RowError>

export const ImportColumn = Type.Object({
  column: Type.String({ description: 'Column name in the file', examples: ['Telefon'] }),
  field: Nullable(
    Type.String({
      description:
        'Field that the column is read as: `phone_number`, `name`, `first_name`, `last_name`, `tags`, `notes`, `stage`, `ai_handling`, `opted_out_at`, `time_zone`, `custom_fields.` and a name, or null if the column is ignored',
      examples: ['phone_number'],
    }),
  ),
})
export type ImportColumn = Static<typeof ImportColumn>

export const ImportReport = Type.Object(
  {
    ...Import.properties,
    columns: Type.Array(ImportColumn, { description: 'Columns of the file; empty until its header has been read' }),
    errors: Type.Array(RowError, { description: `The first ${maxKeptErrors} invalid rows, each with its first error` }),
    errors_omitted: count('Invalid rows beyond those in `errors`'),
  },
  { title: 'ContactImportReport' },
)
export type ImportReport = Static<typeof ImportReport>

export const ImportPage = CursorPage(Import)
export const ImportFilter = Type.Object(CursorQuery)
export type ImportFilter = Static<typeof ImportFilter>
export const ImportPath = Type.Object({ import_id: Id })

export const ImportOptions = Type.Object({
  dry_run: Type.Optional(dryRun),
  on_conflict: Type.Optional(onConflict),
  default_country: Type.Optional(defaultCountry),
})
export type ImportOptions = Static<typeof ImportOptions>

/** Columns by their names in the file, and what to read them as. */
export type RenamedColumns = Record<string, string | null>

export const ImportForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      description:
        'CSV with a header row: comma, semicolon or tab; UTF-8, UTF-16 or an older encoding. One column must contain phone numbers; columns with other names become custom fields.',
      fillIn: 'a CSV file',
    }),
    dry_run: Type.Optional(Type.Unsafe<boolean>({ ...dryRun, default: false })),
    on_conflict: Type.Optional(Type.Unsafe<'skip' | 'update'>({ ...onConflict, default: 'skip' })),
    default_country: Type.Optional(defaultCountry),
    columns: Type.Optional(
      Type.Record(Type.String(), Nullable(Type.String()), {
        description:
          'Maps column names to fields, as a JSON object: `{"Kontakt": "phone_number", "Alter": "custom_fields.age", "Internal": null}`. Null ignores a column.',
        examples: [{ Kontakt: 'phone_number' }],
      }),
    ),
  },
  { examples: [{ file: 'contacts.csv', dry_run: true, on_conflict: 'skip', default_country: 'US' }] },
)
