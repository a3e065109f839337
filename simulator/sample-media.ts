import { crc32, deflateSync } from 'node:zlib'

/** Small files with valid signatures, for inbound messages without a file of their own. */
export function sampleMedia(type: string): { bytes: Buffer; mimeType: string; fileName?: string } {
  switch (type) {
    case 'image':
      return { bytes: samplePng(), mimeType: 'image/png' }
    case 'document':
      return { bytes: samplePdf(), mimeType: 'application/pdf', fileName: 'sample.pdf' }
    case 'audio':
      return { bytes: sampleOgg(), mimeType: 'audio/ogg; codecs=opus' }
    case 'video':
      return { bytes: sampleMp4(), mimeType: 'video/mp4' }
    default:
      return { bytes: sampleWebp(), mimeType: 'image/webp' }
  }
}

function samplePng(): Buffer {
  const [width, height] = [240, 160]
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let y = 0, at = 0; y < height; y++) {
    at++
    for (let x = 0; x < width; x++) {
      rows[at++] = 40 + Math.floor((x / width) * 160)
      rows[at++] = 110 + Math.floor((y / height) * 90)
      rows[at++] = 150
    }
  }
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const length = Buffer.alloc(4)
    const check = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function samplePdf(): Buffer {
  const content = 'BT /F1 24 Tf 72 720 Td (A sample document) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, i) => {
    const place = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  for (const place of places) text += `${String(place).padStart(10, '0')} 00000 n \n`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** The first page of an Opus stream: its header without audio. */
function sampleOgg(): Buffer {
  const head = Buffer.from('4f707573486561640101380180bb0000000000', 'hex')
  const page = Buffer.alloc(28)
  page.write('OggS', 0, 'latin1')
  page[5] = 2
  page[26] = 1
  page[27] = head.length
  return Buffer.concat([page, head])
}

function sampleMp4(): Buffer {
  const brands = Buffer.from('isom\0\0\x02\0isomiso2mp41', 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(brands.length + 8)
  return Buffer.concat([length, Buffer.from('ftyp'), brands, Buffer.from([0, 0, 0, 8]), Buffer.from('mdat')])
}

/** One transparent pixel. */
const sampleWebp = () => Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
