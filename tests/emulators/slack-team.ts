import { createEmulator, type Emulator } from 'emulate'
import { APP_ID, CLIENT, type SlackEmulator, type SlackEnvelope } from './slack.ts'

type Fields = Record<string, unknown>

export interface TeamSeed {
  id: string
  name: string
  users?: { name: string; real_name: string; email: string }[]
  channels?: { name: string; is_private?: boolean; topic?: string }[]
  redirect_uris?: string[]
}

export interface SlackPost extends Fields {
  ts: string
  user: string
  text: string
  thread_ts?: string
  metadata?: { event_type: string; event_payload: Fields }
  blocks?: Fields[]
  username?: string
}

/** The fixed id of the emulated workspace. */
const TEAM_BEHIND = 'T000000001'
const BOT_USER = 'U0PARLEY1'
const BOT = 'B0PARLEY1'

interface More {
  thread_ts?: string
  files?: { name: string; mimetype: string; bytes: Buffer }[]
  /** Sends no event: it happened while nobody was connected, or the event is sent later. */
  isQuiet?: boolean
  /** Sends the event without waiting for its acknowledgement. */
  isNotAwaited?: boolean
}

/** A workspace with its people and channels, and what they do there. */
export class SlackTeam {
  readonly id: string
  readonly name: string
  readonly bot_token: string
  readonly app_token: string
  readonly bot_user_id = BOT_USER
  /** Ids by names. */
  readonly users: Record<string, string> = {}
  readonly channels: Record<string, string> = {}
  readonly files = new Map<string, { mimetype: string; bytes: Buffer }>()
  /** URL of the emulated workspace. */
  behind = ''
  readonly #slack: SlackEmulator
  readonly #issued = new Set<string>()
  /** With token rotation: access tokens by the refresh token that renews them. */
  readonly #renewable = new Map<string, string>()
  /** The time of the latest reply of each thread. */
  readonly #latest = new Map<string, string>()
  #emulator: Emulator | undefined
  #number = 0

  private constructor(slack: SlackEmulator, { id, name }: TeamSeed) {
    this.#slack = slack
    this.id = id
    this.name = name
    this.bot_token = `xoxb-${id}-of-the-bot`
    this.app_token = `xapp-1-${APP_ID}-${id}-0123456789`
  }

  static async start(slack: SlackEmulator, seed: TeamSeed): Promise<SlackTeam> {
    const team = new SlackTeam(slack, seed)
    const { name, users = [], channels = [], redirect_uris = [] } = seed
    team.#emulator = await createEmulator({
      service: 'slack',
      port: 0,
      seed: {
        slack: {
          team: { name, domain: name.toLowerCase().replaceAll(/\W/g, '') },
          users,
          channels,
          oauth_apps: [
            {
              client_id: CLIENT.id,
              client_secret: CLIENT.secret,
              name: 'Parley',
              redirect_uris,
              app_id: APP_ID,
              bot_id: BOT,
              bot_user_id: BOT_USER,
              bot_name: 'parley',
            },
          ],
          tokens: [
            {
              token: team.bot_token,
              type: 'bot',
              user_id: BOT_USER,
              bot_id: BOT,
              bot_user_id: BOT_USER,
              app_id: APP_ID,
            },
            ...['admin', ...users.map((person) => person.name)].map((user) => ({
              token: `xoxp-${user}`,
              type: 'user',
              user,
            })),
          ],
        },
      },
    })
    team.behind = team.#emulator.url.replace('localhost', '127.0.0.1')
    const people = (await team.#callApi('users.list', 'xoxp-admin', {})) as { members: { id: string; name: string }[] }
    for (const member of people.members) team.users[member.name] = member.id
    const all = { types: 'public_channel,private_channel', limit: '200' }
    const listed = (await team.#callApi('conversations.list', `xoxp-${users[0]?.name ?? 'admin'}`, all)) as {
      channels: { id: string; name: string }[]
    }
    for (const channel of listed.channels) team.channels[channel.name] = channel.id
    return team
  }

  knows(token: string): boolean {
    return token === this.bot_token || token === this.app_token || this.#issued.has(token)
  }

  /** Messages of a channel or of a thread, oldest first. */
  async messages(channel: string, thread?: string): Promise<SlackPost[]> {
    const parameters = { channel: this.channels[channel]!, limit: '1000', ...(thread && { ts: thread }) }
    const method = thread ? 'conversations.replies' : 'conversations.history'
    const { messages } = (await this.#callApi(method, 'xoxp-admin', parameters)) as { messages: SlackPost[] }
    return thread ? messages : messages.reverse()
  }

  /** Somebody writes. Returns Slack's `ts` of the message. */
  async post(
    user: string,
    channel: string,
    text: string,
    { thread_ts, files, isQuiet, isNotAwaited }: More = {},
  ): Promise<string> {
    const parameters = { channel: this.channels[channel]!, text, ...(thread_ts && { thread_ts }) }
    const { ts, message } = (await this.#callApi('chat.postMessage', `xoxp-${user}`, parameters)) as {
      ts: string
      message: SlackPost
    }
    if (thread_ts) this.#latest.set(thread_ts, ts)
    const sent = files?.map((file) => this.#storeFile(file))
    const parent = thread_ts ? { thread_ts, parent_user_id: (await this.messages(channel, thread_ts))[0]!.user } : {}
    const event = {
      ...message,
      ...parent,
      ...(sent && { files: sent, subtype: 'file_share' }),
      channel: this.channels[channel],
      channel_type: 'channel',
      event_ts: ts,
    }
    const delivery = isQuiet ? undefined : this.sendEvent(event)
    if (!isNotAwaited) await delivery
    return ts
  }

  async edit(user: string, channel: string, ts: string, text: string, { isQuiet }: More = {}): Promise<Fields> {
    const parameters = { channel: this.channels[channel]!, ts, text }
    const previous_message = await this.#find(channel, ts)
    const { message } = (await this.#callApi('chat.update', `xoxp-${user}`, parameters)) as { message: SlackPost }
    const event = await this.#changed(channel, 'message_changed', { message, previous_message })
    if (!isQuiet) await this.sendEvent(event)
    return event
  }

  async remove(user: string, channel: string, ts: string): Promise<void> {
    const previous_message = await this.#find(channel, ts)
    await this.#callApi('chat.delete', `xoxp-${user}`, { channel: this.channels[channel]!, ts })
    await this.sendEvent(await this.#changed(channel, 'message_deleted', { previous_message, deleted_ts: ts }))
  }

  async react(user: string, channel: string, ts: string, reaction: string): Promise<void> {
    const item = { type: 'message', channel: this.channels[channel], ts }
    await this.sendEvent({ type: 'reaction_added', user: this.users[user], reaction, item, event_ts: this.#time() })
  }

  /** Somebody presses a message's button with this action id. */
  async press(user: string, channel: string, ts: string, action_id: string): Promise<void> {
    const message = await this.#find(channel, ts)
    const buttons = (message.blocks ?? []).flatMap((block) => (block.elements as Fields[] | undefined) ?? [])
    const button = buttons.find((candidate) => candidate.action_id === action_id)
    if (!button) throw new Error(`There is no button ${action_id}.`)
    await this.#slack.send({
      type: 'interactive',
      payload: {
        type: 'block_actions',
        api_app_id: APP_ID,
        team: { id: this.id },
        user: { id: this.users[user], team_id: this.id },
        channel: { id: this.channels[channel], name: channel },
        message,
        actions: [{ type: 'button', action_id, value: button.value, action_ts: this.#time() }],
      },
    })
  }

  /** Somebody invites the app to a channel. */
  async invite(channel: string): Promise<void> {
    const parameters = { channel: this.channels[channel]!, users: BOT_USER }
    await this.#callApi('conversations.invite', 'xoxp-admin', parameters)
    const event = {
      type: 'member_joined_channel',
      user: BOT_USER,
      channel: this.channels[channel],
      event_ts: this.#time(),
    }
    await this.sendEvent(event)
  }

  /** Somebody uninstalls the app from the workspace. */
  async uninstall(): Promise<void> {
    this.#slack.revoke(this.bot_token)
    await this.sendEvent({ type: 'tokens_revoked', tokens: { bot: [BOT_USER] }, event_ts: this.#time() })
    await this.sendEvent({ type: 'app_uninstalled', event_ts: this.#time() })
  }

  /** Sends an event of this workspace to the app. */
  sendEvent(event: Fields): Promise<boolean> {
    return this.#slack.send(this.envelope(event))
  }

  envelope(event: Fields): SlackEnvelope {
    const event_id = `Ev${this.id}${++this.#number}`
    const payload = { type: 'event_callback', team_id: this.id, api_app_id: APP_ID, event_id, event }
    return { type: 'events_api', payload }
  }

  /** Answers an API call of the app. */
  async answer(method: string, token: string, body: Record<string, string>): Promise<Fields> {
    const isEmulated = this.#issued.has(token) && !token.startsWith('xoxe.')
    const behind = isEmulated ? token : this.bot_token
    const isPage = method === 'conversations.history' || method === 'conversations.replies'
    const result = await this.#callApi(method, behind, isPage ? { ...body, limit: '1000' } : body)
    if (!result.ok) return result
    if (method === 'bots.info') return { ...result, bot: { ...(result.bot as Fields), app_id: APP_ID } }
    if (method === 'auth.test') return { ...result, bot_id: BOT, user_id: BOT_USER, team: this.name }
    if (isPage) return { ...result, ...this.#page(method, result.messages as SlackPost[], body) }
    if (method === 'chat.postMessage') {
      if (body.thread_ts) this.#latest.set(body.thread_ts, result.ts as string)
      await this.#sendOwn(result.message as SlackPost, body)
    }
    if (method === 'chat.getPermalink') {
      const { channel = '', message_ts = '' } = body
      return {
        ...result,
        permalink: `https://${this.name.toLowerCase()}.slack.com/archives/${channel}/p${message_ts.replace('.', '')}`,
      }
    }
    return result
  }

  /** Somebody consents on Slack's page. Returns the parameters of the redirect. */
  async consent(address: string, user: string): Promise<URLSearchParams> {
    const { searchParams } = new URL(address)
    const answer = await fetch(`${this.behind}/oauth/v2/authorize/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...Object.fromEntries(searchParams), user_id: this.users[user]! }),
      redirect: 'manual',
    })
    return new URL(answer.headers.get('location')!).searchParams
  }

  /** Exchanges a refresh token, once. The access token it renews becomes invalid. */
  renew(refresh_token: string): Fields {
    const access_token = this.#renewable.get(refresh_token)
    if (!access_token) return { ok: false, error: 'invalid_refresh_token' }
    this.#renewable.delete(refresh_token)
    this.#slack.expire(access_token)
    const tokens = this.#rotate()
    this.#issued.add(tokens.access_token)
    return { ok: true, token_type: 'bot', ...tokens }
  }

  #rotate() {
    const number = ++this.#number
    const access_token = `xoxe.xoxb-1-${this.id}-${number}`
    const refresh_token = `xoxe-1-${this.id}-${number}`
    this.#renewable.set(refresh_token, access_token)
    return { access_token, refresh_token, expires_in: this.#slack.token_seconds }
  }

  /** Exchanges the code of the consent page; the answer includes the channel chosen there. */
  async exchange(raw: string): Promise<Fields> {
    const answer = await fetch(`${this.behind}/api/oauth.v2.access`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: raw,
    })
    const result = JSON.parse((await answer.text()).replaceAll(TEAM_BEHIND, this.id)) as Fields
    if (!result.ok) return result
    const tokens = this.#slack.token_seconds ? this.#rotate() : { access_token: result.access_token as string }
    this.#issued.add(tokens.access_token)
    const channel = Object.keys(this.channels).find((name) => name === 'support') ?? 'general'
    const channel_id = this.channels[channel]
    const configuration_url = `https://${this.name.toLowerCase()}.slack.com/services/${BOT}`
    return {
      ...result,
      ...tokens,
      incoming_webhook: { channel: `#${channel}`, channel_id, configuration_url, url: `${this.behind}/services/x` },
    }
  }

  async close(): Promise<void> {
    await this.#emulator?.close()
  }

  /** Slack sends the app events of its own messages, too. */
  async #sendOwn(message: SlackPost, { channel, thread_ts }: Record<string, string>): Promise<void> {
    const parent = thread_ts ? { thread_ts, parent_user_id: BOT_USER } : {}
    const event = { ...message, ...parent, type: 'message', bot_id: BOT, app_id: APP_ID, channel, event_ts: message.ts }
    void this.#slack.send(this.envelope(event))
  }

  #page(
    method: string,
    all: SlackPost[],
    { oldest = '0', latest = 'z', inclusive, limit = '100', cursor = '0', ts }: Record<string, string>,
  ) {
    const isInRange = (post: SlackPost) =>
      post.ts > oldest && (latest === 'z' || post.ts < latest || (inclusive === 'true' && post.ts === latest))
    const isThread = method === 'conversations.replies'
    const posts = all.filter((post) => isInRange(post) || (isThread && post.ts === ts))
    const end = Number(cursor) + Number(limit)
    const next_cursor = end < posts.length ? String(end) : ''
    const messages = posts.slice(Number(cursor), end).map((post) => {
      const isBot = post.user === BOT_USER
      const latest_reply = this.#latest.get(post.ts)
      const isRoot = ((post.reply_count as number | undefined) ?? 0) > 0
      return { ...post, ...(isBot && { bot_id: BOT }), ...(isRoot && { thread_ts: post.ts, latest_reply }) }
    })
    return { messages, has_more: !!next_cursor, response_metadata: { next_cursor } }
  }

  async #find(channel: string, ts: string): Promise<SlackPost> {
    const all = await this.messages(channel)
    for (const root of all) {
      if (root.ts === ts) return root
      const reply = (await this.messages(channel, root.ts)).find((post) => post.ts === ts)
      if (reply) return { ...reply, thread_ts: root.ts, parent_user_id: root.user }
    }
    throw new Error('There is no such message.')
  }

  async #changed(
    channel: string,
    subtype: string,
    what: { message?: SlackPost; previous_message: SlackPost; deleted_ts?: string },
  ) {
    const time = this.#time()
    const { thread_ts, parent_user_id } = what.previous_message
    const message = what.message && {
      ...what.message,
      ...(thread_ts && { thread_ts, parent_user_id }),
      edited: { user: what.message.user, ts: time },
    }
    const parameters = { channel: this.channels[channel], ts: time, event_ts: time, hidden: true }
    return { type: 'message', subtype, ...parameters, ...what, ...(message && { message }) }
  }

  #storeFile({ name, mimetype, bytes }: { name: string; mimetype: string; bytes: Buffer }): Fields {
    const id = `F${++this.#number}`
    const path = `/files-pri/${this.id}-${id}/download/${name}`
    this.files.set(path, { mimetype, bytes })
    const permalink = `https://${this.name.toLowerCase()}.slack.com/files/${id}/${name}`
    return { id, name, mimetype, size: bytes.length, url_private_download: `${this.#slack.url}${path}`, permalink }
  }

  #time(): string {
    return (Date.now() / 1000 + ++this.#number / 1_000_000).toFixed(6)
  }

  async #callApi(method: string, token: string, body: Record<string, string>): Promise<Fields> {
    const answer = await fetch(`${this.behind}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(body),
    })
    return JSON.parse((await answer.text()).replaceAll(TEAM_BEHIND, this.id)) as Fields
  }
}
