import { startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

export const BOT_TOKEN = '123456789:AAE-the_token_of_the_bot_of_Acme-0001'
export const BOT_ID = 123_456_789

interface Message {
  message_id: number
  [field: string]: unknown
}

/** A message that the bot has sent, as the chat shows it now. */
export interface SentMessage {
  message_id: number
  chat_id: string
  text?: string
  entities?: { type: string; offset: number; length: number; url?: string }[]
  /** How it was sent: `sendPhoto`, … */
  method: string
  files: { name: string; bytes: Buffer }[]
  at: number
}

interface Person {
  id: number
  first_name: string
  last_name?: string
  username?: string
}

export interface Telegram extends Vendor {
  settings: Record<string, string>
  sent: SentMessage[]
  /** Somebody writes to the bot. Returns the message as Telegram delivers it. */
  say(person: Person, text: string, more?: object): Message
  /** Somebody sends something else: `{ photo: … }`. */
  send(person: Person, content: object): Message
  /** Several pictures at once, each in an update of its own. */
  album(person: Person, contents: object[]): Message[]
  edit(person: Person, message: Message, changes: object): void
  block(person: Person): void
  unblock(person: Person): void
  start(person: Person, payload?: string): Message
  /** Any update, such as one of a group. */
  update(update: object): void
  /** Stores a file. Returns what a message says about it. */
  file(bytes: Buffer, more?: object): { file_id: string; file_unique_id: string; file_size: number }
  /** Another program's webhook, or null. */
  webhook: string | null
  /** Whether another program asks for updates, too. */
  isPolledElsewhere: boolean
  /** Whether all tokens are invalid. */
  isRevoked: boolean
  /** Messages older than this cannot be changed. */
  editableMs: number
  /** Updates that were not confirmed yet. */
  pending(): number
  /** The longest poll that may wait, in milliseconds. */
  longestPoll: number
  /** Numbers of updates go on with smaller ones, as after a week without any. */
  restartNumbers(): void
  /** Groups that the bot has left. */
  leftGroups: string[]
  /** What it has said in groups. */
  groups: { chat_id: string; text: string }[]
}

const FILE_MS = 3_600_000
const LONGEST = 4096

/**
 * The Bot API on this machine. A poll really waits; an update comes again until a later one is asked for; entities must lie
 * in the text; files are read as bytes, and what they are called decides nothing.
 */
export async function startTelegram(): Promise<Telegram> {
  let [nextUpdate, nextMessage] = [700_000_001, 1]
  let updates: { update_id: number; [kind: string]: unknown }[] = []
  const stored = new Map<string, { bytes: Buffer; until: number }>()
  const blocked = new Set<string>()
  let [waiting, files]: [(() => void)[], number] = [[], 0]
  let poll = 0

  const vendor = await startVendor(serve)
  const telegram: Telegram = {
    ...vendor,
    settings: { TELEGRAM_API_URL: vendor.url },
    sent: [],
    leftGroups: [],
    groups: [],
    webhook: null,
    isPolledElsewhere: false,
    isRevoked: false,
    editableMs: 48 * 3_600_000,
    longestPoll: 60_000,
    pending: () => updates.length,
    restartNumbers() {
      nextUpdate = 1_000
    },
    say: (person, text, more = {}) => telegram.send(person, { text, ...more }),
    send(person, content) {
      const message = messageOf(person, content)
      telegram.update({ message })
      return message
    },
    album(person, contents) {
      const media_group_id = `group-${nextMessage}`
      return contents.map((content) => telegram.send(person, { media_group_id, ...content }))
    },
    edit(person, message, changes) {
      const edited = { ...message, from: userOf(person), ...changes, edit_date: Math.floor(Date.now() / 1000) }
      telegram.update({ edited_message: edited })
    },
    block(person) {
      blocked.add(String(person.id))
      telegram.update({ my_chat_member: memberOf(person, 'member', 'kicked') })
    },
    unblock(person) {
      blocked.delete(String(person.id))
      telegram.update({ my_chat_member: memberOf(person, 'kicked', 'member') })
    },
    start(person, payload) {
      blocked.delete(String(person.id))
      const text = payload ? `/start ${payload}` : '/start'
      return telegram.say(person, text, { entities: [{ type: 'bot_command', offset: 0, length: 6 }] })
    },
    update(update) {
      updates.push({ update_id: nextUpdate++, ...update })
      for (const wake of waiting.splice(0)) wake()
    },
    file(bytes, more = {}) {
      const file_id = `file-${++files}`
      stored.set(file_id, { bytes, until: Date.now() + FILE_MS })
      return { file_id, file_unique_id: `unique-${files}`, file_size: bytes.length, ...more }
    },
    async close() {
      for (const wake of waiting.splice(0)) wake()
      await vendor.close()
    },
  }
  return telegram

  function messageOf(person: Person, content: object): Message {
    const chat = { ...userOf(person), type: 'private', is_bot: undefined }
    const date = Math.floor(Date.now() / 1000)
    return { message_id: nextMessage++, from: userOf(person), chat, date, ...content }
  }

  async function serve(request: VendorRequest): Promise<VendorAnswer | undefined> {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.path) ?? []
    const file = /^\/file\/bot([^/]+)\/(.+)$/.exec(request.path)
    if (token !== BOT_TOKEN && file?.[1] !== BOT_TOKEN) return refused(401, 'Unauthorized')
    if (telegram.isRevoked) return refused(401, 'Unauthorized')
    if (file) return serveFile(file[2]!)
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data')
    const { fields, parts } = isForm ? await readForm(request) : { fields: request.body, parts: new Map() }
    return call(method, fields, parts)
  }

  async function call(method: string, fields: Fields, parts: Parts): Promise<VendorAnswer> {
    switch (method) {
      case 'getMe':
        return done({ id: BOT_ID, is_bot: true, first_name: 'Acme support', username: 'acme_support_bot' })
      case 'getWebhookInfo':
        return done({ url: telegram.webhook ?? '', pending_update_count: updates.length })
      case 'deleteWebhook':
        telegram.webhook = null
        return done(true)
      case 'getUpdates':
        return getUpdates(fields)
      case 'getFile':
        return getFile(String(fields.file_id))
      case 'getChat':
        return telegram.leftGroups.includes(String(fields.chat_id))
          ? refused(403, 'Forbidden: bot is not a member')
          : done({})
      case 'leaveChat':
        telegram.leftGroups.push(String(fields.chat_id))
        return done(true)
      case 'editMessageText':
        return edit(fields)
      case 'deleteMessage':
        return remove(fields)
      default:
        return send(method, fields, parts)
    }
  }

  async function getUpdates({ offset, limit = 100, timeout = 0 }: Fields): Promise<VendorAnswer> {
    if (telegram.webhook)
      return refused(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      )
    const own = ++poll
    for (const wake of waiting.splice(0)) wake()
    if (telegram.isPolledElsewhere) return elsewhere()
    if (offset !== undefined) updates = updates.filter(({ update_id }) => update_id >= Number(offset))
    if (updates.length === 0 && Number(timeout) > 0) {
      const ms = Math.min(Number(timeout) * 1000, telegram.longestPoll)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
      // A newer poll ends this one.
      if (own !== poll) return elsewhere()
    }
    return done(updates.slice(0, Number(limit)))
  }

  function getFile(file_id: string): VendorAnswer {
    const file = stored.get(file_id)
    if (!file) return refused(400, 'Bad Request: wrong file_id or the file is temporarily unavailable')
    if (file.bytes.length > 20_000_000) return refused(400, 'Bad Request: file is too big')
    return done({ file_id, file_path: `documents/${file_id}.bin`, file_size: file.bytes.length })
  }

  function serveFile(path: string): VendorAnswer {
    const file = stored.get(/documents\/(file-\d+)\.bin/.exec(path)?.[1] ?? '')
    if (!file || file.until < Date.now()) return refused(404, 'Not Found')
    return { body: file.bytes, headers: { 'content-type': 'application/octet-stream' } }
  }

  function send(method: string, fields: Fields, parts: Parts): VendorAnswer {
    const chat_id = String(fields.chat_id)
    if (Number(chat_id) < 0) {
      telegram.groups.push({ chat_id, text: String(fields.text) })
      return done({ message_id: nextMessage++ })
    }
    if (blocked.has(chat_id)) return refused(403, 'Forbidden: bot was blocked by the user')
    const problem = problemOf(method, fields, parts)
    if (problem) return refused(400, `Bad Request: ${problem}`)
    const add = (files: SentMessage['files']) => {
      const { text, entities } = fields as Pick<SentMessage, 'text' | 'entities'>
      const shown = text === undefined ? {} : { text, entities: entities ?? [] }
      const message: SentMessage = { message_id: nextMessage++, chat_id, ...shown, method, files, at: Date.now() }
      telegram.sent.push(message)
      return { message_id: message.message_id, chat: { id: Number(chat_id), type: 'private' } }
    }
    if (method === 'sendMessage') return done(add([]))
    const files = [...parts.values()]
    return done(method === 'sendMediaGroup' ? files.map((file) => add([file])) : add(files))
  }

  function edit({ chat_id, message_id, text, entities }: Fields): VendorAnswer {
    const message = find(chat_id, message_id)
    if (!message) return refused(400, 'Bad Request: message to edit not found')
    if (Date.now() - message.at > telegram.editableMs) return refused(400, "Bad Request: message can't be edited")
    const problem = problemOf('sendMessage', { text, entities }, new Map())
    if (problem) return refused(400, `Bad Request: ${problem}`)
    if (message.text === text) return refused(400, 'Bad Request: message is not modified')
    Object.assign(message, { text, entities })
    return done({ message_id: message.message_id })
  }

  function remove({ chat_id, message_id }: Fields): VendorAnswer {
    const message = find(chat_id, message_id)
    if (!message) return refused(400, 'Bad Request: message to delete not found')
    if (Date.now() - message.at > telegram.editableMs)
      return refused(400, "Bad Request: message can't be deleted for everyone")
    telegram.sent.splice(telegram.sent.indexOf(message), 1)
    return done(true)
  }

  function find(chat_id: unknown, message_id: unknown): SentMessage | undefined {
    return telegram.sent.find(
      (message) => message.chat_id === String(chat_id) && message.message_id === Number(message_id),
    )
  }
}

type Fields = Record<string, unknown>
type Parts = Map<string, { name: string; bytes: Buffer }>

/** Why a message is refused, in Telegram's words. */
function problemOf(method: string, { text, entities = [] }: Fields, parts: Parts): string | undefined {
  const names = ['sendMessage', 'sendPhoto', 'sendDocument', 'sendMediaGroup']
  if (!names.includes(method)) return 'method not found'
  if (method !== 'sendMessage') return problemOfFiles(method, [...parts.values()])
  if (typeof text !== 'string' || !text.trim()) return 'message text is empty'
  if (text.length > LONGEST) return 'message is too long'
  if (!text.isWellFormed()) return 'strings must be encoded in UTF-8'
  const isInside = (entities as { offset: number; length: number }[]).every(
    ({ offset, length }) => offset >= 0 && length > 0 && offset + length <= text.length,
  )
  return isInside ? undefined : "can't parse entities"
}

function problemOfFiles(method: string, files: { bytes: Buffer }[]): string | undefined {
  if (files.length === 0) return 'there is no file in the request'
  if (method === 'sendMediaGroup' && (files.length < 2 || files.length > 10)) return 'wrong number of media'
  if (files.some(({ bytes }) => bytes.length > 50_000_000)) return 'file is too big'
  // A picture that only looks like one.
  const isBroken = method === 'sendPhoto' && files.some(({ bytes }) => bytes.includes('not really a picture'))
  return isBroken ? 'PHOTO_INVALID_DIMENSIONS' : undefined
}

async function readForm({ bytes, headers }: VendorRequest): Promise<{ fields: Fields; parts: Parts }> {
  const type = headers['content-type']!
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const [fields, parts]: [Fields, Parts] = [{}, new Map()]
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = /^[[{]/.test(value) ? JSON.parse(value) : value
    else parts.set(name, { name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
  }
  return { fields, parts }
}

function userOf(person: Person) {
  return { is_bot: false, language_code: 'en', ...person }
}

function memberOf(person: Person, before: string, after: string) {
  const user = { id: BOT_ID, is_bot: true, first_name: 'Acme support' }
  return {
    chat: { id: person.id, type: 'private', first_name: person.first_name },
    from: userOf(person),
    date: Math.floor(Date.now() / 1000),
    old_chat_member: { user, status: before },
    new_chat_member: { user, status: after },
  }
}

function done(result: unknown): VendorAnswer {
  return { body: { ok: true, result } }
}

function elsewhere(): VendorAnswer {
  return refused(
    409,
    'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  )
}

/** A refusal, as Telegram words it. */
export function refused(error_code: number, description: string, parameters?: object): VendorAnswer {
  return { status: error_code, body: { ok: false, error_code, description, ...(parameters && { parameters }) } }
}
