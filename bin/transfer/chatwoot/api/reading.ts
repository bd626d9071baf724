import type { RowFiles } from '../../moving-in/row-files.ts'
import type { ChatwootApi, Json } from './client.ts'
import { readMessages } from './messages.ts'
import * as rows from './rows.ts'
import { type KnownNames, UnitRows, versionOf } from './unit-rows.ts'

/** Conversations and contacts whose parts are asked for at once: the server counts requests. */
const AT_ONCE = 4
/** So many numbers of conversations without an answer, one after another, are the end. */
const MAX_GAP = 200

/** So many pages of a list may fail until it is given up. */
const MAX_FAILED_PAGES = 20

/** What is counted only: tables, and the parts of the API that list them. */
const COUNTED = ['campaigns', 'agent_bots']

/** Reads one account by its API, into files of rows. */
export class AccountReading {
  readonly #api: ChatwootApi
  readonly #id: number
  readonly #files: RowFiles
  readonly #known: KnownNames
  readonly #members = new Set<number>()
  readonly #contacts = new Set<number>()
  readonly #conversations = new Set<number>()
  /** Numbers of conversations that the server cannot show. */
  readonly unreadable: number[] = []

  /** @param names what an earlier run has read */
  constructor(api: ChatwootApi, account_id: number, files: RowFiles, names: KnownNames) {
    this.#api = api
    this.#id = account_id
    this.#files = files
    this.#known = names
  }

  /** @param onProgress called with the part that is done, from 0 to 1 */
  async read(onProgress: (fraction: number) => void): Promise<void> {
    await this.#readAccount()
    await this.#readTeam()
    await this.#readInboxes()
    await this.#readRecords()
    await this.#readContacts((fraction) => onProgress(fraction * 0.3))
    await this.#readConversations((fraction) => onProgress(0.3 + fraction * 0.7))
    await this.#files.add('tags', this.#known.tagRows())
    await this.#files.add('users', this.#known.formerPeople(this.#members))
  }

  async #addUnit(name: string, version: string, { rows: list, memory }: UnitRows): Promise<void> {
    this.#known.add(memory)
    await this.#files.addUnit({ name, version, rows: list, memory })
  }

  async #readAccount(): Promise<void> {
    const account = (await this.#api.get('')) ?? { id: this.#id, name: null }
    await this.#files.add('accounts', [rows.accountRow({ ...account, id: this.#id })])
  }

  async #readTeam(): Promise<void> {
    for (const agent of listOf(await this.#api.get('agents'))) {
      const { user, membership } = rows.memberRows(this.#id, agent)
      this.#members.add(agent.id)
      await this.#files.add('users', [user])
      await this.#files.add('account_users', [membership])
      const picture = rows.pictureRows('User', agent)
      if (!picture) continue
      await this.#files.add('active_storage_blobs', [picture.blob])
      await this.#files.add('active_storage_attachments', [picture.link])
    }
    for (const { id, name } of listOf(await this.#api.get('teams'))) {
      await this.#files.add('teams', [{ id, account_id: this.#id, name }])
      const members = listOf(await this.#api.get(`teams/${id}/team_members`))
      await this.#files.add(
        'team_members',
        members.map((member) => ({ id: null, team_id: id, user_id: member.id })),
      )
    }
  }

  async #readInboxes(): Promise<void> {
    await this.#files.add('inboxes', [])
    for (const inbox of listOf(await this.#api.get('inboxes'))) {
      await this.#files.add('inboxes', [rows.inboxRow(this.#id, inbox)])
      await this.#files.add('working_hours', rows.workingHoursRows(this.#id, inbox))
      const channel = rows.channelRow(this.#id, inbox)
      if (channel) await this.#files.add(channel.table, [channel.row])
      const members = listOf(await this.#api.get(`inbox_members/${inbox.id}`))
      await this.#files.add(
        'inbox_members',
        members.map(({ id }) => ({ id: null, user_id: id, inbox_id: inbox.id })),
      )
    }
  }

  async #readRecords(): Promise<void> {
    for (const label of listOf(await this.#api.get('labels'))) {
      await this.#files.add('labels', [rows.labelRow(this.#id, label)])
    }
    for (const reply of listOf(await this.#api.get('canned_responses'))) {
      await this.#files.add('canned_responses', [rows.cannedResponseRow(this.#id, reply)])
    }
    for (const webhook of listOf(await this.#api.get('webhooks'))) {
      await this.#files.add('webhooks', [rows.webhookRow(this.#id, webhook)])
    }
    await this.#files.add(
      'macros',
      listOf(await this.#api.get('macros')).map((macro) => rows.macroRow(this.#id, macro)),
    )
    await this.#files.add(
      'automation_rules',
      listOf(await this.#api.get('automation_rules')).map((rule) => rows.automationRuleRow(this.#id, rule)),
    )
    for (const attribute_model of [0, 1]) {
      const definitions = listOf(await this.#api.get('custom_attribute_definitions', { attribute_model }))
      await this.#files.add(
        'custom_attribute_definitions',
        definitions.map((definition) => rows.attributeRow(this.#id, attribute_model, definition)),
      )
    }
    for await (const ratings of this.#pages('csat_survey_responses')) {
      await this.#files.add(
        'csat_survey_responses',
        ratings.map((rating) => rows.ratingRow(this.#id, rating)),
      )
    }
    for (const table of COUNTED) this.#files.counts.set(table, listOf(await this.#api.get(table)).length)
  }

  /** Those with an address, a number or an id; the others come with their conversations. */
  async #readContacts(onProgress: (fraction: number) => void): Promise<void> {
    await this.#files.add('contacts', [])
    let total = 0
    const pages = this.#pages('contacts', { sort: 'created_at' }, (answer) => {
      total = answer.meta?.count ?? total
    })
    for await (const contacts of pages) {
      await inTurns(contacts, (contact) => this.#addContact(contact))
      onProgress(total ? Math.min(1, this.#contacts.size / total) : 0)
    }
  }

  async #addContact(contact: Json): Promise<void> {
    if (this.#contacts.has(contact.id)) return
    this.#contacts.add(contact.id)
    const [name, version] = [`contact ${contact.id}`, versionOf(contact)]
    if (this.#files.use(name, version)) return
    const unit = new UnitRows()
    const notes = listOf(await this.#api.get(`contacts/${contact.id}/notes`))
    const labels = listOf(await this.#api.get(`contacts/${contact.id}/labels`))
    unit.add('contacts', rows.contactRow(this.#id, contact))
    const picture = rows.pictureRows('Contact', contact)
    if (picture) {
      unit.add('active_storage_blobs', picture.blob)
      unit.add('active_storage_attachments', picture.link)
    }
    unit.add('notes', ...notes.map((note) => rows.noteRow(this.#id, contact.id, note)))
    for (const { source_id, inbox } of listOf(contact.contact_inboxes)) {
      unit.addContactInbox(contact.id, inbox?.id, source_id, false)
    }
    unit.addLabels('Contact', contact.id, labels)
    await this.#addUnit(name, version, unit)
  }

  async #readConversations(onProgress: (fraction: number) => void): Promise<void> {
    await this.#files.add('conversations', [])
    await this.#files.add('messages', [])
    let total = 0
    const note = ({ data }: Json) => {
      total = data?.meta?.all_count ?? total
    }
    for await (const page of this.#pages('conversations', { status: 'all', assignee_type: 'all' }, note)) {
      await inTurns(page, (conversation) => this.#addConversation(conversation))
      onProgress(total ? Math.min(1, this.#conversations.size / total) : 0)
    }
    await this.#readGaps()
  }

  /**
   * Asks for each number that no page has shown: pages shift while people work, and one damaged conversation makes a
   * whole page fail.
   */
  async #readGaps(): Promise<void> {
    let last = [...this.#conversations].reduce((highest, current) => Math.max(highest, current), 0)
    for (let next = 1; next <= last + MAX_GAP; ) {
      const numbers: number[] = []
      for (; next <= last + MAX_GAP && numbers.length < AT_ONCE; next++) {
        if (!this.#conversations.has(next)) numbers.push(next)
      }
      await inTurns(numbers, async (number) => {
        const conversation = await this.#api.get(`conversations/${number}`)
        if (conversation === null) this.unreadable.push(number)
        if (!conversation?.id) return
        last = Math.max(last, number)
        await this.#addConversation(conversation)
      })
    }
    this.unreadable.sort((a, b) => a - b)
  }

  async #addConversation(conversation: Json): Promise<void> {
    const { id, meta = {}, labels } = conversation
    if (this.#conversations.has(id)) return
    this.#conversations.add(id)
    if (meta.sender?.id) await this.#addContact(meta.sender)
    const [name, version] = [`conversation ${id}`, versionOf(conversation)]
    if (this.#files.use(name, version)) return
    const messages = await readMessages(this.#api, id)
    if (!messages) {
      this.unreadable.push(id)
      return
    }
    const unit = new UnitRows()
    if (meta.sender?.id) {
      unit.addContactInbox(meta.sender.id, conversation.inbox_id, null, meta.hmac_verified === true)
    }
    if (meta.assignee) unit.addPerson(meta.assignee)
    unit.add('conversations', rows.conversationRow(this.#id, conversation))
    unit.addLabels('Conversation', id, listOf(labels))
    for (const message of messages) this.#addMessage(unit, id, message)
    await this.#addUnit(name, version, unit)
  }

  #addMessage(unit: UnitRows, conversation_id: number, message: Json): void {
    if (rows.isFromTeam(message)) unit.addPerson(message.sender)
    unit.add('messages', rows.messageRow(this.#id, conversation_id, message))
    for (const attachment of listOf(message.attachments)) {
      const { row, blob } = rows.attachmentRows(this.#id, message, attachment)
      unit.add('attachments', row)
      if (!blob) continue
      unit.add('active_storage_blobs', blob)
      unit.add('active_storage_attachments', {
        ...{ name: 'file', record_type: 'Attachment', record_id: row.id, blob_id: blob.id },
      })
    }
  }

  /** The pages of a list up to the first without anything new. A page that fails is left out. */
  async *#pages(path: string, query: Record<string, string> = {}, look?: (answer: Json) => void) {
    const seenIds = new Set<number>()
    for (let page = 1, failed = 0; failed <= MAX_FAILED_PAGES; page++) {
      const answer = await this.#api.get(path, { ...query, page })
      if (!answer) {
        failed++
        continue
      }
      look?.(answer)
      const fresh = listOf(answer).filter(({ id }) => !seenIds.has(id))
      // Also where a version knows no pages and answers the same each time.
      if (fresh.length === 0) return
      for (const { id } of fresh) seenIds.add(id)
      yield fresh
    }
  }
}

/** The list in an answer: bare, or below `payload`, or deeper. */
function listOf(answer: Json): Json[] {
  if (Array.isArray(answer)) return answer
  if (!answer || typeof answer !== 'object') return []
  return listOf(answer.payload ?? answer.data ?? answer.webhooks)
}

/** Works on a list, a few at once. */
async function inTurns<Item>(list: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < list.length; at += AT_ONCE) await Promise.all(list.slice(at, at + AT_ONCE).map(work))
}
