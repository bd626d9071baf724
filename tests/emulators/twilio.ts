import { createHmac, randomBytes } from 'node:crypto'
import { createEmulator } from 'emulate'
import { startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

export const ACCOUNT_SID = `AC${'1'.repeat(32)}`
export const AUTH_TOKEN = 'the token of Acme at Twilio'
export const NUMBER = '+12025550100'
/** A second number of the account. Both are in the pool of the messaging service. */
export const SECOND_NUMBER = '+12025550101'
/** Twilio's sandbox for WhatsApp, which no account owns. */
export const SANDBOX = '+14155238886'

interface Media {
  type: string
  bytes: Buffer
}

interface Received {
  body?: string
  media?: Media[]
  optOut?: string
  /** The receiving address; the first number by default, over WhatsApp its sender. */
  to?: string
}

export interface Twilio extends Vendor {
  settings: Record<string, string>
  /** The messaging service of the account. */
  service_sid: string
  /** Adds a number to the pool of the messaging service, or removes it. */
  pool(number: string, isInPool: boolean): Promise<void>
  /** Messages sent from the numbers, as Twilio lists them. */
  sent(): Promise<TwilioRow[]>
  /** Somebody writes to a number. Returns the form that Twilio sends. */
  receive(from: string, message: Received): Promise<URLSearchParams>
  /** A sent message gets a new status. Returns the form of the status callback. */
  becomes(sid: string, status: string, code?: number): Promise<URLSearchParams>
  /** Signs a call as Twilio does. */
  sign(address: string, form: URLSearchParams, token?: string): string
  /** The number has sent STOP or START. */
  optOut(number: string, isOut: boolean): void
  /** The WhatsApp senders of the account, and their states. */
  senders: Map<string, string>
  /** The customer's last message over WhatsApp is more than a day old, or not. */
  closeWindow(address: string, isClosed?: boolean): void
  /** Whether the account is on trial, where Twilio prefixes each message with a sentence. */
  onTrial(isOnTrial: boolean): void
  /** Whether all tokens are invalid. */
  revoke(isRevoked: boolean): void
  /** Access tokens that were sent to the file host, which must not get any. */
  leaked: string[]
}

interface TwilioRow {
  sid: string
  to: string
  from: string
  body: string
  direction: string
  messaging_service_sid: string | null
  date_created: string
  [field: string]: unknown
}

const ROOT = `/2010-04-01/Accounts/${ACCOUNT_SID}`
const LANDLINE = '+12025550114'

/**
 * Twilio on this machine: a proxy in front of `emulate` that adds what it lacks (files, unsubscribed numbers, failure
 * reasons, lists by date, revoked tokens).
 */
export async function startTwilio(): Promise<Twilio> {
  const account = { sid: ACCOUNT_SID, auth_token: AUTH_TOKEN, friendly_name: 'Acme' }
  const behind = await createEmulator({
    service: 'twilio',
    port: 0,
    seed: {
      twilio: {
        account,
        phone_numbers: [
          { phone_number: NUMBER, friendly_name: 'Support' },
          { phone_number: SECOND_NUMBER, friendly_name: 'Sales' },
          { phone_number: `whatsapp:${NUMBER}`, friendly_name: 'Acme' },
          { phone_number: `whatsapp:${SANDBOX}`, friendly_name: 'Sandbox' },
        ],
      },
    } as never,
  })
  const inner = behind.url.replace('localhost', '127.0.0.1')
  const authorization = `Basic ${Buffer.from(`${ACCOUNT_SID}:${AUTH_TOKEN}`).toString('base64')}`
  const media = new Map<string, { sid: string; media: Media }[]>()
  const codes = new Map<string, number>()
  const [out, leaked] = [new Set<string>(), [] as string[]]
  const senders = new Map([[NUMBER, 'ONLINE']])
  const closed = new Set<string>()
  let isRevoked = false
  let isOnTrial = false

  async function callEmulator<Answer>(method: string, path: string, form?: Record<string, string>): Promise<Answer> {
    const body = form && new URLSearchParams(form)
    const answer = await fetch(inner + path, { method, headers: { authorization }, ...(body && { body }) })
    return answer.json() as Promise<Answer>
  }

  async function all(): Promise<TwilioRow[]> {
    const rows: TwilioRow[] = []
    for (let page = 0; ; page++) {
      const list = `${ROOT}/Messages.json?PageSize=1000&Page=${page}`
      const { messages } = await callEmulator<{ messages: TwilioRow[] }>('GET', list)
      rows.push(...messages)
      if (messages.length < 1000) return rows
    }
  }

  /** Newest first, as Twilio lists them. */
  async function list({ query }: VendorRequest): Promise<VendorAnswer> {
    const since = Date.parse(query.get('DateSent>') ?? '2000-01-01')
    const rows = (await all())
      .filter(({ to, from }) => [query.get('To') ?? to, query.get('From') ?? from].join() === [to, from].join())
      .filter(({ date_created }) => Date.parse(date_created) >= since)
      .map((row) => ({
        ...row,
        body: isOnTrial && row.from === NUMBER ? `Sent from your Twilio trial account - ${row.body}` : row.body,
        num_media: String(media.get(row.sid)?.length ?? row.num_media),
        error_code: codes.get(row.sid) ?? null,
      }))
      .sort((a, b) => Date.parse(b.date_created) - Date.parse(a.date_created))
    const size = Number(query.get('PageSize') ?? 50)
    const from = Number(query.get('Page') ?? 0) * size
    const next = new URLSearchParams({ ...Object.fromEntries(query), Page: String(from / size + 1) })
    return {
      body: {
        messages: rows.slice(from, from + size),
        next_page_uri: from + size < rows.length ? `${ROOT}/Messages.json?${next}` : null,
      },
    }
  }

  function findSendRefusal({ body, text }: VendorRequest): VendorAnswer | undefined {
    const to = String(body.To)
    const isOverWhatsapp = to.startsWith('whatsapp:')
    if (isOverWhatsapp !== String(body.From ?? '').startsWith('whatsapp:'))
      return refused(21910, "'From' and 'To' must be of the same channel")
    if (closed.has(to))
      return refused(63016, 'Failed to send freeform message because you are outside the allowed window')
    if (isOverWhatsapp && /&MediaUrl=.*&MediaUrl=/.test(text)) return refused(21623, 'Number of media files exceeds 1')
    if (out.has(to)) return refused(21610, 'Attempt to send to unsubscribed recipient')
    if (to === LANDLINE) return refused(21614, `'To' number: ${to}, is not a mobile number`)
    if (String(body.Body ?? '').length > 1600) return refused(21617, 'The concatenated message body exceeds 1600')
    return undefined
  }

  function serveMedia(path: string): VendorAnswer | undefined {
    const [, message = '', file] = /\/Messages\/(\w+)\/Media(?:\/(\w+)|\.json)$/.exec(path) ?? []
    const stored = media.get(message)
    if (!stored) return undefined
    // The file itself is on another host.
    if (file) return { status: 307, headers: { location: `${vendor.url}/cdn/${message}/${file}` } }
    return { body: { media_list: stored.map(({ sid, media: { type } }) => ({ sid, content_type: type })) } }
  }

  function serveBytes({ path, headers }: VendorRequest): VendorAnswer {
    if (headers.authorization) leaked.push(headers.authorization)
    const [, , message = '', file] = path.split('/')
    const stored = media.get(message)?.find(({ sid }) => sid === file)
    if (!stored) return { status: 404 }
    return { body: stored.media.bytes, headers: { 'content-type': stored.media.type } }
  }

  const services = '/messaging/v1/Services'
  const { sid: service_sid } = await callEmulator<{ sid: string }>('POST', services, { FriendlyName: 'All numbers' })
  const poolPath = `${services}/${service_sid}/PhoneNumbers`

  async function pool(number: string, isInPool: boolean): Promise<void> {
    if (isInPool) return void (await callEmulator('POST', poolPath, { PhoneNumber: number }))
    const { phone_numbers } = await callEmulator<{ phone_numbers: { sid: string; phone_number: string }[] }>(
      'GET',
      poolPath,
    )
    const pooledNumber = phone_numbers.find(({ phone_number }) => phone_number === number)
    if (pooledNumber)
      await fetch(`${inner}${poolPath}/${pooledNumber.sid}`, { method: 'DELETE', headers: { authorization } })
  }
  for (const number of [NUMBER, SECOND_NUMBER]) await pool(number, true)

  /** The API of messaging services has an address of its own. */
  async function serveServices({ method, path, query, text }: VendorRequest): Promise<VendorAnswer> {
    const form = method === 'POST' ? Object.fromEntries(new URLSearchParams(text)) : undefined
    const body = await callEmulator<{ status?: unknown; code?: number }>(method, `/messaging${path}?${query}`, form)
    return { status: body.code ? 404 : 200, body }
  }

  function listSenders({ query }: VendorRequest) {
    if (query.get('Channel') !== 'whatsapp') return []
    return [...senders].map(([number, status]) => ({
      sid: `XE${'1'.repeat(32)}`,
      sender_id: `whatsapp:${number}`,
      status,
    }))
  }

  const vendor = await startVendor((request) => {
    const { method, path, headers } = request
    if (path.startsWith('/cdn/')) return serveBytes(request)
    if (isRevoked || headers.authorization !== authorization) {
      return { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } }
    }
    if (path.startsWith('/v1/Services')) return serveServices(request)
    if (path === '/v2/Channels/Senders') return { body: { senders: listSenders(request) } }
    if (path === `${ROOT}/Messages.json`) return method === 'GET' ? list(request) : findSendRefusal(request)
    return serveMedia(path)
  }, inner)

  const mark = (number: string, isOut: boolean) => void (isOut ? out.add(number) : out.delete(number))

  async function simulate(what: string, form: Record<string, string>): Promise<TwilioRow> {
    return callEmulator('POST', `/_twilio/simulate/${what}`, form)
  }

  return {
    ...vendor,
    settings: { TWILIO_API_URL: vendor.url, TWILIO_MESSAGING_URL: vendor.url },
    service_sid,
    pool,
    leaked,
    // Newest first, because times are in whole seconds.
    sent: async () => (await all()).filter(({ direction }) => direction !== 'inbound').reverse(),
    senders,
    closeWindow: (address, isClosed = true) => void (isClosed ? closed.add(address) : closed.delete(address)),
    async receive(
      from,
      { body = '', media: files = [], optOut, to = from.startsWith('whatsapp:') ? `whatsapp:${NUMBER}` : NUMBER },
    ) {
      const { sid, messaging_service_sid } = await simulate('inbound-message', { To: to, From: from, Body: body })
      const stored = files.map((file) => ({ sid: `ME${randomBytes(16).toString('hex')}`, media: file }))
      if (stored.length > 0) media.set(sid, stored)
      // Nobody stops messages over WhatsApp there.
      if (/^(STOP|START)$/i.test(body) && !from.startsWith('whatsapp:')) mark(from, /STOP/i.test(body))
      return new URLSearchParams({
        ToCountry: 'US',
        MessageSid: sid,
        SmsSid: sid,
        SmsStatus: 'received',
        AccountSid: ACCOUNT_SID,
        From: from,
        To: to,
        Body: body,
        ...(messaging_service_sid && { MessagingServiceSid: messaging_service_sid }),
        NumMedia: String(stored.length),
        ...Object.fromEntries(
          stored.map((item, index) => [`MediaUrl${index}`, `${vendor.url}/cdn/${sid}/${item.sid}`]),
        ),
        ...(optOut && { OptOutType: optOut }),
      })
    },
    async becomes(sid, status, code) {
      const { from, to, messaging_service_sid } = await simulate('message-status', { MessageSid: sid, Status: status })
      if (code) codes.set(sid, code)
      return new URLSearchParams({
        MessageSid: sid,
        MessageStatus: status,
        AccountSid: ACCOUNT_SID,
        From: from,
        To: to,
        ...(messaging_service_sid && { MessagingServiceSid: messaging_service_sid }),
        ...(code && { ErrorCode: String(code) }),
      })
    },
    sign(address, form, token = AUTH_TOKEN) {
      const text = [...form].sort(([a], [b]) => (a < b ? -1 : 1)).reduce((sum, pair) => sum + pair.join(''), address)
      return createHmac('sha1', token).update(text).digest('base64')
    },
    optOut: mark,
    onTrial(value) {
      isOnTrial = value
    },
    revoke(value) {
      isRevoked = value
    },
    async close() {
      await vendor.close()
      await behind.close()
    },
  }
}

function refused(code: number, message: string): VendorAnswer {
  return { status: 400, body: { code, message, status: 400, more_info: `https://www.twilio.com/docs/errors/${code}` } }
}
