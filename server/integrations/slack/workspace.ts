import type { SlackChannel } from '#contract/integrations/slack.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { ConnectionRevoked } from '../../integration.ts'
import type { SlackCredentials } from './authorization.ts'
import { requestSlack, SlackRefused } from './client.ts'

/** The workspace of a bot token. */
export interface Workspace {
  team_id: string
  team_name: string
  bot_user_id: string
  bot_name: string
  app_id: string | null
}

/**
 * Asks Slack for the workspace of the tokens.
 * @throws Invalid with the field; Later or Reconnect with a sentence
 */
export async function readWorkspace(
  context: Pick<Context, 'config'>,
  { access_token, app_token }: Pick<SlackCredentials, 'access_token' | 'app_token'>,
): Promise<Workspace> {
  // Rotating tokens begin with xoxe.
  if (!/^(xoxe\.)?xoxb-/.test(access_token)) {
    throw new Invalid({ bot_token: ['must be the “Bot User OAuth Token”, which begins with xoxb-'] })
  }
  if (app_token !== null && !app_token.startsWith('xapp-')) {
    throw new Invalid({ app_token: ['must be an “App-Level Token”, which begins with xapp-'] })
  }
  const identity = await nameToken(
    'bot_token',
    requestSlack(context, access_token, (client) => client.auth.test()),
  )
  const app_id = identity.bot_id ? await readApp(context, access_token, identity.bot_id) : null
  const app_of_line = app_token && appOf(app_token)
  if (app_id && app_of_line && app_id !== app_of_line) {
    throw new Invalid({ app_token: ['belongs to a different app than the bot token'] })
  }
  if (app_token) {
    await nameToken(
      'app_token',
      requestSlack(context, app_token, (client) => client.apps.connections.open({})),
    )
  }
  return {
    team_id: identity.team_id!,
    team_name: identity.team ?? identity.team_id!,
    bot_user_id: identity.user_id!,
    bot_name: identity.user ?? 'parley',
    app_id: app_id ?? app_of_line,
  }
}

/** Of two tokens, says which one Slack refused. */
async function nameToken<Answer>(field: 'bot_token' | 'app_token', call: Promise<Answer>): Promise<Answer> {
  return call.catch((error: unknown) => {
    if (!(error instanceof ConnectionRevoked)) throw error
    const name = field === 'bot_token' ? 'Bot token' : 'App-level token'
    throw new Invalid({ [field]: ['was refused by Slack'] }, `${name}: ${error.message}`, 'broken')
  })
}

/** An app token contains the app's id. */
function appOf(app_token: string): string | null {
  return /^xapp-\d+-(A[A-Z0-9]+)-/.exec(app_token)?.[1] ?? null
}

async function readApp(context: Pick<Context, 'config'>, token: string, bot: string): Promise<string | null> {
  const botInfo = await requestSlack(context, token, (client) => client.bots.info({ bot })).catch((error: unknown) => {
    if (error instanceof SlackRefused) return undefined
    throw error
  })
  return botInfo?.bot?.app_id ?? null
}

const PAGE = 500
const PAGES = 20

/** All channels visible to the app, by name, without archived ones. */
export async function listChannels(context: Pick<Context, 'config'>, token: string): Promise<SlackChannel[]> {
  const all: SlackChannel[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const response = await requestSlack(context, token, (client) =>
      client.conversations.list({
        types: 'public_channel,private_channel',
        exclude_archived: true,
        limit: PAGE,
        ...(cursor && { cursor }),
      }),
    )
    for (const channel of response.channels ?? []) if (channel.id && channel.name) all.push(presentChannel(channel))
    cursor = response.response_metadata?.next_cursor || undefined
    if (!cursor) break
  }
  return all.sort((a, b) => a.name.localeCompare(b.name))
}

interface FromSlack {
  id?: string
  name?: string
  is_channel?: boolean
  is_private?: boolean
  is_archived?: boolean
  is_member?: boolean
  topic?: { value?: string }
  purpose?: { value?: string }
}

function presentChannel({ id = '', name = '', topic, purpose, ...is }: FromSlack): SlackChannel {
  return {
    id,
    name,
    is_channel: is.is_channel ?? !is.is_private,
    is_private: is.is_private ?? false,
    is_archived: is.is_archived ?? false,
    is_member: is.is_member ?? false,
    topic: { value: topic?.value ?? '' },
    purpose: { value: purpose?.value ?? '' },
  }
}

/** @throws Reconnect if the app cannot see it */
export async function readChannel(
  context: Pick<Context, 'config'>,
  token: string,
  channel: string,
): Promise<SlackChannel> {
  const response = await requestSlack(context, token, (client) => client.conversations.info({ channel }))
  return presentChannel(response.channel ?? {})
}
