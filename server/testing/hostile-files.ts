import { wordFile } from './docx.ts'
import { hostilePdfs } from './hostile-pdfs.ts'
import { hostileWordFiles } from './hostile-word-files.ts'
import { textPdf, typeset } from './pdf.ts'
import { type HostileFile, ole, png, randomBytes, sentence, times } from './spoil.ts'

export const hostileFiles = (): HostileFile[] => [...hostilePdfs(), ...hostileWordFiles(), ...hostileTexts()]

function hostileTexts(): HostileFile[] {
  const file = (name: string, bytes: Buffer, rest: Partial<HostileFile> = {}): HostileFile => ({
    name,
    type: 'txt',
    bytes,
    ...rest,
  })
  return [
    file('empty', Buffer.alloc(0), { refused: ['empty'] }),
    file('white space', Buffer.from(' \n\t\r\n'.repeat(5000)), { refused: ['empty'] }),
    file('a byte order mark', Buffer.from('\ufeff'), { refused: ['empty'] }),
    file('punctuation', Buffer.from('.,;- '.repeat(500)), { refused: ['empty'] }),
    file('zeros', Buffer.alloc(100_000), { refused: ['binary'] }),
    file('a zero in the middle', Buffer.from(`${sentence}\0${sentence}`), { refused: ['binary'] }),
    file('control characters', Buffer.from('\x01\x02a\x03'.repeat(300)), { refused: ['binary'] }),
    file('a picture', png, { refused: ['mislabelled'] }),
    file('a PDF', textPdf([typeset(sentence)]), { refused: ['mislabelled'] }),
    file('a Word document', wordFile([sentence]), { refused: ['mislabelled'] }),
    file('an old Word document', ole, { refused: ['binary'] }),
    file('a rich text', Buffer.from(`{\\rtf1 ${sentence}}`), { refused: ['mislabelled'] }),
    file('zeros in UTF-16', Buffer.from('\ufeffa\0b', 'utf16le'), { refused: ['binary'] }),
    file('halves of pairs', Buffer.from(`\ufeff${'a\ud800b\udc00'.repeat(100)}`, 'utf16le')),
    file('half a character at the end', Buffer.from(`${sentence}é`).subarray(0, -1)),
    file('an odd number of bytes in UTF-16', Buffer.from(`\ufeff${sentence}`, 'utf16le').subarray(0, -1)),
    file('one line of five megabytes', Buffer.alloc(5 << 20, 'a')),
    file('accents without end', Buffer.from(`a${'\u0301'.repeat(200_000)}`)),
    file('right to left overrides', Buffer.from(`${'\u202e'.repeat(1000)}${sentence}`)),
    file('longer than allowed', Buffer.alloc(9 << 20, sentence), { refused: ['too_long'] }),
    ...times(20, (i) => file(`noise ${i}`, randomBytes(i + 300, 5000), { refused: ['binary', 'mislabelled'] })),
  ]
}
