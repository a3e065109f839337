/** What a kind of file is called, and what its files are named and served as. */
interface FileKindFacts {
  /** As a list of formats names it. */
  label: string
  /** With its article, for sentences. */
  noun: string
  /** Without the dot; the first is the usual one. */
  extensions: readonly [string, ...string[]]
  mediaType: string
  /** Read by text recognition, where it is configured. */
  isImage?: true
}

/** Every kind of file that the knowledge base can read. API, docs and console list them from here. */
export const fileKinds = {
  pdf: { label: 'PDF', noun: 'a PDF', extensions: ['pdf'], mediaType: 'application/pdf' },
  docx: {
    label: 'Word',
    noun: 'a Word document',
    extensions: ['docx'],
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  txt: { label: 'Plain text', noun: 'plain text', extensions: ['txt'], mediaType: 'text/plain' },
  md: { label: 'Markdown', noun: 'Markdown', extensions: ['md', 'markdown'], mediaType: 'text/markdown' },
  html: { label: 'HTML', noun: 'a web page', extensions: ['html', 'htm', 'xhtml'], mediaType: 'text/html' },
  csv: { label: 'CSV', noun: 'a CSV table', extensions: ['csv', 'tsv'], mediaType: 'text/csv' },
  xlsx: {
    label: 'Excel',
    noun: 'an Excel workbook',
    extensions: ['xlsx', 'xlsm'],
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  },
  pptx: {
    label: 'PowerPoint',
    noun: 'a PowerPoint presentation',
    extensions: ['pptx'],
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  },
  epub: { label: 'EPUB', noun: 'an EPUB book', extensions: ['epub'], mediaType: 'application/epub+zip' },
  odt: {
    label: 'OpenDocument text',
    noun: 'an OpenDocument text',
    extensions: ['odt'],
    mediaType: 'application/vnd.oasis.opendocument.text',
  },
  rtf: { label: 'Rich text', noun: 'a rich text document (RTF)', extensions: ['rtf'], mediaType: 'application/rtf' },
  png: { label: 'PNG image', noun: 'a picture', extensions: ['png'], mediaType: 'image/png', isImage: true },
  jpg: { label: 'JPEG image', noun: 'a picture', extensions: ['jpg', 'jpeg'], mediaType: 'image/jpeg', isImage: true },
  tiff: { label: 'TIFF image', noun: 'a picture', extensions: ['tiff', 'tif'], mediaType: 'image/tiff', isImage: true },
  webp: { label: 'WebP image', noun: 'a picture', extensions: ['webp'], mediaType: 'image/webp', isImage: true },
} as const satisfies Record<string, FileKindFacts>

export type FileKind = keyof typeof fileKinds

export const factsOf = (kind: FileKind): FileKindFacts => fileKinds[kind]

const kindOf = new Map<string, FileKind>(
  (Object.keys(fileKinds) as FileKind[]).flatMap((kind) =>
    factsOf(kind).extensions.map((extension) => [extension, kind] as const),
  ),
)

/** The kind that a name promises, in any case; nothing for other extensions. */
export const kindByName = (fileName: string): FileKind | undefined =>
  kindOf.get(/\.([a-z0-9]+)$/i.exec(fileName.trim())?.[1]?.toLowerCase() ?? '')
