/** Files with valid headers of their kind; the rest of their content does not matter. */
export function fileThatStarts(start: string, length = 2000): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(length, 'frontdesk ')
  file.write(start, 0, 'latin1')
  return new Uint8Array(file)
}

export const png = fileThatStarts('\x89PNG\r\n\x1a\n')
export const jpeg = fileThatStarts('\xff\xd8\xff\xe0')
export const gif = fileThatStarts('GIF89a')
export const pdf = fileThatStarts('%PDF-1.7')
export const mp4 = fileThatStarts('\0\0\0\x18ftypmp42')
export const ogg = fileThatStarts('OggS')
