import type { BlockList } from './block-list.ts'
import type { BusinessApp } from './business-app.ts'
import { checkUpload, type Media } from './media.ts'
import type { OutgoingBody } from './message-rules.ts'
import type { NumberHealth } from './number-health.ts'
import type { Numbers } from './numbers.ts'
import { Refusal, unknownObject } from './refusals.ts'
import type { Sends } from './sends.ts'
import type { GraphCall, TemplateRoutes } from './template-routes.ts'
import { createUploads } from './uploads.ts'

/** A request to the Graph API: its path, and its body, read on demand. */
export interface GraphRequest extends GraphCall {
  form(): Promise<FormData>
  /** The body as it arrives: bytes of a request that breaks off are not lost. */
  chunks: AsyncIterable<Buffer>
  header(name: string): string | undefined
}

export interface GraphRoutes {
  /** `POST /{phone number}/messages` and `…/marketing_messages`, by far the most frequent request. Nothing for one that is never answered. */
  send(
    id: string,
    token: string | undefined,
    version: number,
    raw: string,
    isMarketing: boolean,
  ): Promise<string | undefined>
  answer(id: string, edge: string, request: GraphRequest): Promise<unknown>
}

export function createGraphRoutes({
  numbers,
  sends,
  media,
  templates,
  health,
  blockList,
  businessApp,
}: {
  numbers: Numbers
  sends: Sends
  media: Media
  templates: TemplateRoutes
  health: NumberHealth
  blockList: BlockList
  businessApp: BusinessApp
}): GraphRoutes {
  const uploads = createUploads(numbers)

  async function upload(id: string, request: GraphRequest) {
    const { account } = await numbers.authorize(request.token, id)
    const form = await request.form()
    const file = form.get('file')
    if (form.get('messaging_product') !== 'whatsapp')
      throw new Refusal(100, '', { message: '(#100) The parameter messaging_product is required.' })
    if (!(file instanceof Blob)) throw new Refusal(100, '', { message: '(#100) The parameter file is required.' })
    const mimeType = file.type || String(form.get('type') ?? '')
    checkUpload(mimeType, file.size)
    const kept = await media.keep(account, Buffer.from(await file.arrayBuffer()), mimeType, 'uploaded')
    return { id: kept.id }
  }

  async function one(id: string, request: GraphRequest): Promise<unknown> {
    const template = await templates.one(id, request)
    if (template !== undefined) return template
    const file = await media.find(id)
    await numbers.requireToken(request.token)
    if (file && (await numbers.mayUse(request.token, file.account))) {
      if (request.method === 'DELETE') {
        await media.remove(id)
        return { success: true }
      }
      if (request.method === 'GET')
        return {
          messaging_product: 'whatsapp',
          url: media.linkTo(file, request.origin),
          mime_type: file.mimeType,
          sha256: file.sha256,
          file_size: String(file.size),
          id,
        }
    }
    if (request.method !== 'GET') throw unknownObject(id, request.method.toLowerCase())
    if (request.query.get('fields')?.includes('account_review_status'))
      return { id, ...(await health.ofAccount(await numbers.authorizeAccount(request.token, id))) }
    const number = await numbers.authorize(request.token, id)
    const { display_phone_number, verified_name = 'Test number' } = number
    return { verified_name, display_phone_number, platform_type: 'CLOUD_API', ...(await health.of(number)), id }
  }

  async function phoneNumbers(id: string, { token }: GraphRequest) {
    const own = await numbers.ofAccount(await numbers.authorizeAccount(token, id))
    return {
      data: own.map(({ phone_number_id, display_phone_number, verified_name = 'Test number' }) => ({
        verified_name,
        display_phone_number,
        quality_rating: 'GREEN',
        id: phone_number_id,
      })),
    }
  }

  return {
    async send(id, token, version, raw, isMarketing) {
      const authorizing = numbers.authorize(token, id)
      const number = authorizing instanceof Promise ? await authorizing : authorizing
      return sends.accept(number, parseBody(raw), raw, version, isMarketing)
    },
    async answer(id, edge, request) {
      const { method } = request
      if (edge === 'message_templates') return templates.ofAccount(id, request)
      if (edge === 'template_analytics' && method === 'GET') return templates.analytics(id, request)
      if (id === 'message_template_library' || edge === 'message_template_library') return templates.library(request)
      if (edge === 'media' && method === 'POST') return upload(id, request)
      if (edge === 'unpause' && method === 'POST') return templates.unpause(id, request)
      if (edge === 'block_users') return blockList.answer(id, request)
      if (edge === 'smb_app_data') return businessApp.answer(id, request)
      if (edge === 'phone_numbers' && method === 'GET') return phoneNumbers(id, request)
      if (edge === 'subscribed_apps') {
        await numbers.authorizeAccount(request.token, id)
        return method === 'GET'
          ? { data: [{ whatsapp_business_api_data: { id: '1', name: 'Simulator' } }] }
          : { success: true }
      }
      if (edge === 'uploads' && method === 'POST') return uploads.start(id, request)
      if (edge === '' && id.startsWith('upload:')) return uploads.session(id, request)
      if (edge === '' && (id === 'app' || id === 'debug_token')) return uploads.app(id, request)
      if (edge === '') return one(id, request)
      await numbers.requireToken(request.token)
      throw unknownObject(id, method.toLowerCase())
    },
  }
}

export function parseBody(raw: string): OutgoingBody {
  let body: unknown
  try {
    body = JSON.parse(raw)
  } catch {
    throw new Refusal(100, 'The body is not valid JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(100, 'The body must be a JSON object')
  return body as OutgoingBody
}
