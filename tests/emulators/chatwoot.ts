import pg from 'pg'
import { startVendor, type Vendor, type VendorAnswer, type VendorRequest } from './vendor.ts'

/** The token of an administrator of every account. */
export const CHATWOOT_TOKEN = 'token-of-an-administrator'

const STATUSES = ['open', 'resolved', 'pending', 'snoozed']
const PRIORITIES = ['low', 'medium', 'high', 'urgent']
const MESSAGE_STATUSES = ['sent', 'delivered', 'read', 'failed']
const CONTENT_TYPES = [
  ...['text', 'input_text', 'input_textarea', 'input_email', 'input_select', 'cards', 'form', 'article'],
  ...['incoming_email', 'input_csat'],
]
const FILE_TYPES = ['image', 'audio', 'video', 'file', 'location', 'fallback', 'share', 'story_mention', 'contact']
const MODELS = ['conversation_attribute', 'contact_attribute']
const DISPLAY_TYPES = ['text', 'number', 'currency', 'percent', 'link', 'date', 'list', 'checkbox']
/** By Chatwoot's numbers. */
const LOCALES: Record<number, string> = { 0: 'en', 4: 'de' }
const SENDERS: Record<string, string> = { Contact: 'contact', User: 'user', AgentBot: 'agent_bot' }
const CONTACTS_AT_ONCE = 15
const CONVERSATIONS_AT_ONCE = 25

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type Row = Record<string, any>

interface Options {
  /** A version that does not know ranges of ids: it answers the newest twenty below an id. */
  isOld?: boolean
  /** The bytes of files, by the key of their blob. */
  files?: Record<string, string | Buffer>
}

/**
 * Chatwoot's API over a database of Chatwoot, as its own server answers it: ids of conversations are the numbers that
 * people know, times are whole seconds, and a conversation without a contact makes its whole page fail.
 */
export async function startChatwootApi(database: pg.Pool, options: Options = {}): Promise<Vendor> {
  const vendor = await startVendor(answer)
  return vendor

  async function answer(request: VendorRequest): Promise<VendorAnswer | undefined> {
    const file = /^\/rails\/active_storage\/blobs\/redirect\/([^/]+)\//.exec(request.path)
    if (file) return { status: 302, headers: { location: `${vendor.url}/disk/${file[1]}` }, body: '' }
    const disk = /^\/disk\/(.+)$/.exec(request.path)
    if (disk) return { body: options.files?.[disk[1]!] ?? '', headers: { 'content-type': 'text/plain' } }
    if (request.headers.api_access_token !== CHATWOOT_TOKEN) return { status: 401, body: { error: 'Invalid token' } }
    if (request.path === '/api/v1/profile') {
      const accounts = await rows('select id, name from accounts order by id')
      return { body: { id: 7, accounts: accounts.map((account) => ({ ...account, role: 'administrator' })) } }
    }
    const [, account, path = ''] = /^\/api\/v1\/accounts\/(\d+)\/?(.*)$/.exec(request.path) ?? []
    return account ? answerFor(Number(account), path, request.query) : undefined
  }

  async function rows(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await database.query({ text: sql, values, types: AS_TEXT })).rows
  }

  async function answerFor(id: number, path: string, query: URLSearchParams): Promise<VendorAnswer | undefined> {
    const page = Number(query.get('page') ?? 1)
    if (path === '') {
      const [account] = await rows('select * from accounts where id = $1', [id])
      return {
        body: {
          id,
          name: account!.name,
          locale: LOCALES[account!.locale],
          domain: account!.domain,
          created_at: account!.created_at,
        },
      }
    }
    if (path === 'agents') return { body: await agents(id) }
    if (path === 'inboxes') return { body: { payload: await inboxes(id) } }
    if (path === 'teams')
      return { body: await rows('select id, name, description from teams where account_id = $1', [id]) }
    if (path === 'labels') return { body: { payload: await rows('select * from labels where account_id = $1', [id]) } }
    if (path === 'canned_responses')
      return { body: await rows('select * from canned_responses where account_id = $1', [id]) }
    if (path === 'webhooks') {
      return { body: { payload: { webhooks: await rows('select * from webhooks where account_id = $1', [id]) } } }
    }
    if (path === 'csat_survey_responses') return { body: page === 1 ? await ratings(id) : [] }
    if (path === 'contacts') return { body: await contacts(id, page) }
    if (path === 'conversations') return conversationPage(id, page)
    if (path === 'custom_attribute_definitions') {
      return { body: await definitions(id, query.get('attribute_model') ?? '0') }
    }
    const [, kind, number, part] = /^(inbox_members|teams|contacts|conversations)\/(\d+)(?:\/(\w+))?$/.exec(path) ?? []
    if (kind === 'inbox_members') {
      const members = await rows('select user_id as id from inbox_members where inbox_id = $1', [number])
      return { body: { payload: members } }
    }
    if (kind === 'teams') {
      return { body: await rows('select user_id as id from team_members where team_id = $1', [number]) }
    }
    if (kind === 'contacts' && part === 'notes') return { body: await notes(Number(number)) }
    if (kind === 'contacts' && part === 'labels') return { body: { payload: await labels('Contact', Number(number)) } }
    if (kind === 'conversations') return oneConversation(id, Number(number), part, query)
    return undefined
  }

  async function agents(id: number): Promise<Row[]> {
    const people = await rows(
      `select u.*, a.role as number from account_users a join users u on u.id = a.user_id where a.account_id = $1 order by u.id`,
      [id],
    )
    return Promise.all(people.map(async (row) => ({ ...agent(row), thumbnail: await pictureOf('User', row.id) })))
  }

  /** The address of a person's picture; empty if there is none. */
  async function pictureOf(record_type: string, id: number): Promise<string> {
    const [blob] = await rows(
      `select b.* from active_storage_attachments a join active_storage_blobs b on b.id = a.blob_id
       where a.name = 'avatar' and a.record_type = $1 and a.record_id = $2`,
      [record_type, id],
    )
    return blob ? `${vendor.url}/rails/active_storage/blobs/redirect/${blob.key}/${blob.filename}` : ''
  }

  async function inboxes(id: number): Promise<Row[]> {
    const inboxRows = await rows('select * from inboxes where account_id = $1 order by id', [id])
    return Promise.all(
      inboxRows.map(async (inbox) => {
        const table = CHANNELS[inbox.channel_type as string]
        const [channel] = table ? await rows(`select * from ${table} where id = $1`, [inbox.channel_id]) : []
        const hours = await rows('select * from working_hours where inbox_id = $1 order by day_of_week', [inbox.id])
        const medium = channel?.medium === 1 ? 'whatsapp' : 'sms'
        return { ...channel, medium, selected_feature_flags: flags(channel), ...inbox, working_hours: hours }
      }),
    )
  }

  async function definitions(id: number, model: string): Promise<Row[]> {
    const definitionRows = await rows(
      'select * from custom_attribute_definitions where account_id = $1 and attribute_model = $2 order by id',
      [id, model],
    )
    return definitionRows.map((row) => ({
      ...row,
      attribute_model: MODELS[row.attribute_model],
      attribute_display_type: DISPLAY_TYPES[row.attribute_display_type],
    }))
  }

  async function ratings(id: number): Promise<Row[]> {
    const ratingRows = await rows(
      `select r.*, v.display_id from csat_survey_responses r join conversations v on v.id = r.conversation_id where r.account_id = $1`,
      [id],
    )
    return ratingRows.map(({ display_id, assigned_agent_id, created_at, ...rating }) => ({
      ...rating,
      conversation_id: display_id,
      assigned_agent: assigned_agent_id ? { id: assigned_agent_id } : undefined,
      created_at: seconds(created_at),
    }))
  }

  async function contacts(id: number, page: number): Promise<Row> {
    const where = `from contacts where account_id = $1 and (coalesce(email, '') <> '' or coalesce(phone_number, '') <> '' or coalesce(identifier, '') <> '')`
    const [{ count } = { count: 0 }] = await rows(`select count(*)::integer as count ${where}`, [id])
    const contactRows = await rows(
      `select * ${where} order by created_at, id limit ${CONTACTS_AT_ONCE} offset ${(page - 1) * CONTACTS_AT_ONCE}`,
      [id],
    )
    return {
      meta: { count, current_page: page },
      payload: await Promise.all(contactRows.map((row) => contact(row, true))),
    }
  }

  async function contact(row: Row, withInboxes = false): Promise<Row> {
    const links = withInboxes ? await rows('select * from contact_inboxes where contact_id = $1', [row.id]) : []
    return {
      ...row,
      thumbnail: await pictureOf('Contact', row.id),
      ...(withInboxes && {
        contact_inboxes: links.map(({ source_id, inbox_id }) => ({ source_id, inbox: { id: inbox_id } })),
      }),
      last_activity_at: row.last_activity_at ? seconds(row.last_activity_at) : undefined,
      created_at: seconds(row.created_at),
      updated_at: undefined,
    }
  }

  async function notes(id: number): Promise<Row[]> {
    const noteRows = await rows('select * from notes where contact_id = $1', [id])
    return noteRows.map((note) => ({
      ...note,
      user: note.user_id ? { id: note.user_id } : null,
      created_at: seconds(note.created_at),
      updated_at: seconds(note.updated_at),
    }))
  }

  async function labels(type: string, id: number): Promise<string[]> {
    const labelRows = await rows(
      `select t.name from taggings g join tags t on t.id = g.tag_id where g.context = 'labels' and g.taggable_type = $1 and g.taggable_id = $2`,
      [type, id],
    )
    return labelRows.map(({ name }) => name)
  }

  async function conversationPage(id: number, page: number): Promise<VendorAnswer> {
    const conversationRows = await rows(
      `select * from conversations where account_id = $1 order by last_activity_at desc, id
       limit ${CONVERSATIONS_AT_ONCE} offset ${(page - 1) * CONVERSATIONS_AT_ONCE}`,
      [id],
    )
    const [{ all_count } = { all_count: 0 }] = await rows(
      'select count(*)::integer as all_count from conversations where account_id = $1',
      [id],
    )
    const payload = await Promise.all(conversationRows.map(conversation))
    if (payload.includes(undefined)) return { status: 500, body: { error: 'Internal server error' } }
    return { body: { data: { meta: { all_count }, payload } } }
  }

  /** Undefined for one whose contact is gone: the server fails at it. */
  async function conversation(row: Row): Promise<Row | undefined> {
    const [sender] = await rows('select * from contacts where id = $1', [row.contact_id])
    if (!sender) return undefined
    const [assignee] = await rows('select *, 0 as number from users where id = $1', [row.assignee_id])
    const [team] = await rows('select id, name from teams where id = $1', [row.team_id])
    const [link] = await rows('select hmac_verified from contact_inboxes where id = $1', [row.contact_inbox_id])
    return {
      meta: {
        sender: await contact(sender),
        assignee: assignee && agent(assignee),
        team,
        hmac_verified: link?.hmac_verified ?? false,
      },
      ...{ id: row.display_id, uuid: row.uuid, inbox_id: row.inbox_id, account_id: row.account_id },
      ...{ status: STATUSES[row.status] ?? row.status, priority: PRIORITIES[row.priority] ?? null },
      ...{ additional_attributes: row.additional_attributes, custom_attributes: row.custom_attributes },
      ...{
        agent_last_seen_at: seconds(row.agent_last_seen_at),
        contact_last_seen_at: seconds(row.contact_last_seen_at),
      },
      ...{ created_at: seconds(row.created_at), last_activity_at: seconds(row.last_activity_at) },
      ...{ timestamp: seconds(row.last_activity_at), snoozed_until: row.snoozed_until },
      labels: await labels('Conversation', row.id),
    }
  }

  async function oneConversation(id: number, number: number, part: string | undefined, query: URLSearchParams) {
    const [row] = await rows('select * from conversations where account_id = $1 and display_id = $2', [id, number])
    if (!row) return { status: 404, body: { error: 'Resource could not be found' } }
    if (part === 'messages') return { body: { payload: await messages(row, query) } }
    const shown = await conversation(row)
    return shown ? { body: shown } : { status: 500, body: { error: 'Internal server error' } }
  }

  async function messages(row: Row, query: URLSearchParams): Promise<Row[]> {
    const [after, before] = [query.get('after'), query.get('before')]
    const messageRows =
      after && before && !options.isOld
        ? await rows(
            'select * from messages where conversation_id = $1 and id >= $2::bigint and id < $3::bigint order by created_at, id limit 1000',
            [row.id, after, before],
          )
        : (
            await rows(
              'select * from messages where conversation_id = $1 and id < $2::bigint order by created_at desc, id desc limit 20',
              [row.id, before],
            )
          ).reverse()
    const senders = await sendersOf(messageRows)
    const attachments = Map.groupBy(await attachmentsOf(messageRows), ({ message_id }) => message_id)
    return messageRows.map((messageRow) => message(messageRow, row.display_id, senders, attachments.get(messageRow.id)))
  }

  function message(row: Row, conversation_id: number, senders: Map<string, Row>, attachments?: Row[]): Row {
    const sender = senders.get(`${row.sender_type} ${row.sender_id}`)
    return {
      ...{ id: row.id, content: row.content, inbox_id: row.inbox_id, conversation_id, private: row.private },
      ...{ message_type: row.message_type, source_id: row.source_id, created_at: seconds(row.created_at) },
      content_type: CONTENT_TYPES[row.content_type] ?? row.content_type,
      status: MESSAGE_STATUSES[row.status],
      content_attributes: decoded(row.content_attributes),
      ...(sender && { sender: { ...sender, type: SENDERS[row.sender_type] } }),
      ...(attachments && { attachments: attachments.map(attachment) }),
    }
  }

  /** Who wrote these messages, by kind and number. */
  async function sendersOf(messages: Row[]): Promise<Map<string, Row>> {
    const idsOf = (type: string) => messages.flatMap((row) => (row.sender_type === type ? row.sender_id : []))
    const people = [
      ...(await rows(`select 'User' as type, id, name from users where id = any ($1)`, [idsOf('User')])),
      ...(await rows(`select 'Contact' as type, id, name from contacts where id = any ($1)`, [idsOf('Contact')])),
      ...idsOf('AgentBot').map((id) => ({ type: 'AgentBot', id, name: 'Bot' })),
    ]
    return new Map(people.map(({ type, id, name }) => [`${type} ${id}`, { id, name }]))
  }

  function attachmentsOf(messages: Row[]): Promise<Row[]> {
    return rows(
      `select o.*, b.key, b.filename, b.byte_size from attachments o
       left join active_storage_attachments a on a.record_type = 'Attachment' and a.record_id = o.id
       left join active_storage_blobs b on b.id = a.blob_id where o.message_id = any ($1) order by o.id`,
      [messages.map(({ id }) => id)],
    )
  }

  function attachment(row: Row): Row {
    const address =
      row.key && `${vendor.url}/rails/active_storage/blobs/redirect/${row.key}/${encodeURIComponent(row.filename)}`
    return {
      ...{ id: row.id, message_id: row.message_id, account_id: row.account_id },
      file_type: FILE_TYPES[row.file_type] ?? row.file_type,
      ...(row.file_type === 4
        ? { coordinates_lat: row.coordinates_lat, coordinates_long: row.coordinates_long }
        : { data_url: address ?? row.external_url, file_size: row.key ? Number(row.byte_size) : undefined }),
      fallback_title: row.fallback_title,
    }
  }
}

/** Times as they are written, and large numbers as numbers. */
const AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format: 'text') =>
    id === pg.types.builtins.TIMESTAMP
      ? String
      : id === pg.types.builtins.INT8
        ? Number
        : pg.types.getTypeParser(id, format)) as pg.CustomTypesConfig['getTypeParser'],
}

const CHANNELS: Record<string, string> = {
  'Channel::WebWidget': 'channel_web_widgets',
  'Channel::Email': 'channel_email',
  'Channel::TwilioSms': 'channel_twilio_sms',
}

/** Times of the database are in UTC. */
const seconds = (time: string | null) => (time ? Math.floor(Date.parse(`${time.replace(' ', 'T')}Z`) / 1_000) : 0)

function agent({ id, name, display_name, email, confirmed_at, number }: Row): Row {
  const role = number === 1 ? 'administrator' : 'agent'
  return { id, name, available_name: display_name || name, email, role, confirmed: confirmed_at !== null }
}

function flags(channel: Row | undefined): string[] {
  const names = ['attachments', 'emoji_picker', 'end_conversation']
  return names.filter((_, bit) => (channel?.feature_flags ?? 7) & (1 << bit))
}

/** As Rails' own coder reads them, also where they were encoded twice. */
function decoded(said: unknown): object {
  let value: unknown = said
  for (let depth = 0; depth < 4 && typeof value === 'string'; depth++) {
    try {
      value = JSON.parse(value)
    } catch {
      return {}
    }
  }
  return value && typeof value === 'object' ? value : {}
}
