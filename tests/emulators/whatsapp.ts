import { createHmac, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

export const APP_SECRET = 'the secret of the app of Acme at Meta'
export const ACCESS_TOKEN = 'the-token-of-the-system-user-of-Acme'
export const PHONE_ID = '106540352242922'
export const SECOND_PHONE_ID = '106540352242923'
export const WABA_ID = '102290129340398'
export const NUMBER = '15550783881'

const DAY_MS = 24 * 3_600_000
const LANDLINE = '4930123456'

/** Somebody with WhatsApp: who has not shown their number has only an id. */
export interface WhatsappPerson {
  number?: string
  user_id?: string
  name?: string
}

export interface SentMessage {
  id: string
  to: string
  type: string
  callback: string
  json: Record<string, unknown>
}

export interface WhatsappEmulator extends Vendor {
  settings: Record<string, string>
  /** Messages that were accepted, oldest first. */
  sent: SentMessage[]
  /** Where the app of an account calls, and the token with which it is checked. */
  subscribed: Map<string, { override_callback_uri: string; verify_token: string }>
  /** Called with each accepted message before it is answered. */
  onSent(listener: (message: SentMessage) => Promise<void>): void
  /** Files that were uploaded, by their ids. */
  uploaded: Map<string, { type: string; bytes: string }>
  templates: object[]
  /** The body of a call about a message from somebody, which opens their window. */
  say(person: WhatsappPerson, message: Record<string, unknown>, phone_id?: string): CallBody
  /** The body of a call about a new state of a sent message. */
  becomes(sent: SentMessage, status: string, code?: number): CallBody
  /** A file at Meta. Returns its id. */
  /** `size`: what Meta says it has, if that is not the length of its bytes. */
  addMedia(type: string, bytes: Buffer, size?: number): string
  /** The window of a person ends. */
  closeWindow(to: string): void
  /** Whether all tokens are refused. */
  revoke(isRevoked: boolean): void
}

interface Template {
  name: string
  language: string
  components: { type: string; format?: string; text?: string; buttons?: { type: string; url?: string }[] }[]
}

interface MessageComponent {
  type: string
  index?: string
  parameters: Record<string, unknown>[]
}

export interface CallBody {
  object: 'whatsapp_business_account'
  entry: { id: string; changes: { field: string; value: Record<string, unknown> }[] }[]
}

/** Several calls as one, as Meta sends them after a pause. */
export function inOneCall(...bodies: CallBody[]): CallBody {
  return { object: 'whatsapp_business_account', entry: bodies.flatMap(({ entry }) => entry) }
}

/** Signs a body as Meta does: non-ASCII characters are escaped before. */
export function signedBody(body: CallBody, secret = APP_SECRET) {
  const text = JSON.stringify(body).replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return { text, signature: `sha256=${createHmac('sha256', secret).update(text).digest('hex')}` }
}

/** Meta's Cloud API on this machine. */
export async function startWhatsapp(): Promise<WhatsappEmulator> {
  const sent: SentMessage[] = []
  const windows = new Map<string, number>()
  const uploaded: WhatsappEmulator['uploaded'] = new Map()
  const media = new Map<string, { type: string; bytes: Buffer; size: number; expires: number }>()
  const subscribed: WhatsappEmulator['subscribed'] = new Map()
  const templates: object[] = []
  let isRevoked = false

  let listener: (message: SentMessage) => Promise<void> = () => Promise.resolve()

  async function sendMessage({ body }: VendorRequest): Promise<VendorAnswer> {
    const to = String(body.to ?? body.recipient ?? '')
    const type = String(body.type)
    const content = body[type] as Record<string, unknown> | undefined
    if (!to || !content) return refused(100, 'Invalid parameter')
    if (to === LANDLINE) return refused(131026, 'Message undeliverable')
    if (type === 'template') {
      const template = findTemplate(content)
      if (!template) return refused(132001, 'Template name does not exist')
      if (!fits(template, content)) return refused(132000, 'Number of parameters does not match')
    } else if ((windows.get(to) ?? 0) < Date.now()) return refused(131047, 'Re-engagement message')
    if (type === 'text' && String(content.body).length > 4096) return refused(100, 'Param text.body is too long')
    if (/image|video|audio|document/.test(type) && !uploaded.has(String(content.id)))
      return refused(131053, 'Media upload error')
    const id = `wamid.${randomBytes(24).toString('base64')}`
    const message = { id, to, type, callback: String(body.biz_opaque_callback_data), json: body }
    sent.push(message)
    await listener(message)
    return { body: { messaging_product: 'whatsapp', contacts: [{ input: to }], messages: [{ id }] } }
  }

  function findTemplate({ name, language }: Record<string, unknown>): Template | undefined {
    const { code } = language as { code: string }
    return (templates as Template[]).find((template) => template.name === name && template.language === code)
  }

  /** Whether each variable, button and heading with a file of a template has its parameter. */
  function fits(template: Template, content: Record<string, unknown>): boolean {
    const components = (content.components ?? []) as MessageComponent[]
    const countOf = (type: string) => components.find((component) => component.type === type)?.parameters.length ?? 0
    const expected = template.components.map(({ type, format, text, buttons = [] }) => {
      if (type === 'BUTTONS') {
        const needed = buttons.flatMap((button, index) =>
          button.type === 'COPY_CODE' || button.url?.includes('{{') ? [String(index)] : [],
        )
        const indexes = components.flatMap((component) => (component.type === 'button' ? [component.index] : []))
        return isDeepStrictEqual(indexes.sort(), needed)
      }
      if (format && format !== 'TEXT') {
        const [heading] = components.find((component) => component.type === 'header')?.parameters ?? []
        const kind = format.toLowerCase()
        return heading?.type === kind && uploaded.has(String((heading[kind] as { id?: string }).id))
      }
      return countOf(type.toLowerCase()) === (text?.match(/\{\{/g)?.length ?? 0)
    })
    return expected.every(Boolean)
  }

  function upload({ text }: VendorRequest): VendorAnswer {
    const id = `${Date.now()}${uploaded.size}`
    const [, type = ''] = /name="type"\r\n\r\n([^\r]+)/.exec(text) ?? []
    uploaded.set(id, { type, bytes: text })
    return { body: { id } }
  }

  function serveMedia(id: string): VendorAnswer {
    const file = media.get(id)
    if (!file) return refused(100, 'Object does not exist')
    file.expires = Date.now() + 5 * 60_000
    return { body: { url: `${vendor.url}/files/${id}`, mime_type: file.type, id, file_size: file.size } }
  }

  function serveBytes({ path }: VendorRequest): VendorAnswer {
    const file = media.get(path.split('/')[2]!)
    if (!file || file.expires < Date.now()) return { status: 404 }
    return { body: file.bytes, headers: { 'content-type': file.type } }
  }

  function listNumbers({ query, token }: VendorRequest): VendorAnswer {
    const proof = createHmac('sha256', APP_SECRET).update(token!).digest('hex')
    if (query.get('appsecret_proof') !== proof)
      return refused(100, 'Invalid appsecret_proof provided in the API argument')
    const numbers = [
      { id: PHONE_ID, display_phone_number: '+1 555-078-3881', verified_name: 'Acme', quality_rating: 'GREEN' },
      { id: SECOND_PHONE_ID, display_phone_number: '+1 555-078-3882', verified_name: 'Acme Sales' },
    ]
    return { body: { data: numbers } }
  }

  const vendor = await startVendor((request) => {
    const { method, token } = request
    const path = request.path.replace(/^\/v[\d.]+/, '')
    if (isRevoked || token !== ACCESS_TOKEN) return { status: 401, body: errorBody(190, 'Invalid OAuth access token.') }
    const call = `${method} ${path}`
    if (path.startsWith('/files/')) return serveBytes(request)
    if (call === `GET /${WABA_ID}/phone_numbers`) return listNumbers(request)
    if (call === `GET /${WABA_ID}/message_templates`) return { body: { data: templates } }
    if (call === `POST /${WABA_ID}/subscribed_apps`) {
      subscribed.set(WABA_ID, request.body as never)
      return { body: { success: true } }
    }
    if (/^POST \/\d+\/messages$/.test(call)) return sendMessage(request)
    if (/^POST \/\d+\/media$/.test(call)) return upload(request)
    if (method === 'GET' && media.has(path.slice(1))) return serveMedia(path.slice(1))
    return refused(100, 'Unsupported request')
  })

  const wrap = (value: Record<string, unknown>, phone_number_id = PHONE_ID): CallBody => ({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: WABA_ID,
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'whatsapp',
              metadata: { display_phone_number: NUMBER, phone_number_id },
              ...value,
            },
          },
        ],
      },
    ],
  })

  return {
    ...vendor,
    settings: { WHATSAPP_API_URL: vendor.url },
    sent,
    subscribed,
    uploaded,
    templates,
    say({ number, user_id, name }, message, phone_id) {
      for (const id of [number, user_id]) if (id) windows.set(id, Date.now() + DAY_MS)
      const contact = {
        profile: { name: name ?? 'Kim' },
        ...(number && { wa_id: number }),
        ...(user_id && { user_id }),
      }
      const sender = { ...(number && { from: number }), ...(user_id && { from_user_id: user_id }) }
      const id = `wamid.${randomBytes(24).toString('base64')}`
      const timestamp = String(Math.floor(Date.now() / 1000))
      return wrap({ contacts: [contact], messages: [{ id, timestamp, ...sender, ...message }] }, phone_id)
    },
    becomes({ id, to, callback }, status, code) {
      const errors = code && [{ code, title: 'Some title', error_data: { details: 'Some details' } }]
      const timestamp = String(Math.floor(Date.now() / 1000))
      return wrap({
        statuses: [
          { id, status, timestamp, recipient_id: to, biz_opaque_callback_data: callback, ...(errors && { errors }) },
        ],
      })
    },
    addMedia(type, bytes, size = bytes.length) {
      const id = `9${randomBytes(6).readUIntBE(0, 6)}`
      media.set(id, { type, bytes, size, expires: 0 })
      return id
    },
    onSent(newListener) {
      listener = newListener
    },
    closeWindow: (to) => void windows.delete(to),
    revoke(value) {
      isRevoked = value
    },
  }
}

function errorBody(code: number, message: string) {
  return { error: { message: `(#${code}) ${message}`, type: 'OAuthException', code, error_data: { details: message } } }
}

function refused(code: number, message: string): VendorAnswer {
  return { status: code === 130429 ? 429 : 400, body: errorBody(code, message) }
}
