import type { Authorization } from '#contract/connections/integrations.ts'
import type { SlackDraft, SlackTokens, SlackType, SlackWorkspace } from '#contract/integrations/slack.ts'
import { isolate } from '#contract/text/isolate.ts'
import type { Context } from '../../context.ts'
import { Invalid, Refusal } from '../../errors.ts'
import { findApp } from '../../features/connections/authorizations/apps.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { runForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import { ConnectionRevoked } from '../../integration.ts'
import type { User } from '../../platform/caller.ts'
import type { Db } from '../../platform/db/change.ts'
import { acrossAccounts } from '../../platform/db/of-account.ts'
import { addressOf, integrationOf, listSlack, loadSlack, type Slack, type SlackCredentials } from './authorization.ts'
import { requestSlack, SlackRefused } from './client.ts'
import { withBotToken } from './token.ts'
import { listChannels, readChannel, readWorkspace } from './workspace.ts'

/**
 * The workspace of the tokens, before anything is connected.
 * @throws Refusal with what to do
 */
export async function fetchWorkspace(context: Context, caller: User, tokens: SlackTokens): Promise<SlackWorkspace> {
  assertSwitchedOn(context)
  const credentials = await readTokens(context, caller, tokens)
  return runForCaller(async () => {
    const { team_id, team_name, bot_name } = await readWorkspace(context, credentials)
    return { team_id, team_name, bot_name, channels: await listChannels(context, credentials.access_token) }
  })
}

/**
 * Connects a channel with an app's tokens, after testing them and writing to the channel.
 * @throws Refusal with what to do
 */
export async function connectByTokens(context: Context, caller: User, draft: SlackDraft): Promise<Authorization> {
  assertSwitchedOn(context)
  const credentials = await readTokens(context, caller, draft)
  const { inbox_id, type = 'reply', channel_id } = draft
  return connectChannel(context, caller, { type, inbox_id: inbox_id ?? null, channel_id, credentials })
}

interface ChosenChannel {
  type: SlackType
  inbox_id: string | null
  channel_id: string
  credentials: SlackCredentials
  configuration_url?: string | null
  scope?: string | null
}

/** Connects a channel chosen here or on Slack's page. */
export async function connectChannel(context: Context, caller: User, chosen: ChosenChannel): Promise<Authorization> {
  const { account_id } = caller
  const { type, channel_id, credentials } = chosen
  const inbox = await chooseInbox(context.db, account_id, chosen.inbox_id)
  if (!inbox) throw new Invalid({ inbox_id: ['does not exist'] })
  const { channel, ...workspace } = await runForCaller(async () => {
    const workspace = await readWorkspace(context, credentials)
    const address = addressOf({ team_id: workspace.team_id, channel_id })
    await assertNotTaken(context.db, account_id, { type, inbox_id: inbox.id, address })
    const { name } = await enterChannel(context, { ...chosen, bot_name: workspace.bot_name, inbox_name: inbox.name })
    return { ...workspace, channel: `#${name}` }
  })
  const existing = await findExisting(context, account_id, { type, inbox_id: inbox.id, team_id: workspace.team_id })
  const isSame = existing?.settings.channel_id === channel_id
  const connected = await context.change((tx) =>
    connectAuthorization(context, tx, caller, {
      integration: integrationOf(type),
      inbox_id: inbox.id,
      slot: type === 'support' ? workspace.team_id : '',
      label: `${channel} · ${workspace.team_name}`,
      address: addressOf({ team_id: workspace.team_id, channel_id }),
      scope: chosen.scope ?? null,
      way_in: credentials.app_token ? 'live' : 'called',
      settings: {
        ...workspace,
        channel_id,
        channel,
        configuration_url:
          chosen.configuration_url ?? (workspace.app_id && `https://api.slack.com/apps/${workspace.app_id}`),
        is_consented: chosen.configuration_url !== undefined,
        sync_all_incoming_threads: existing?.settings.sync_all_incoming_threads ?? true,
        sync_by_emoji_tagging: existing?.settings.sync_by_emoji_tagging ?? true,
      },
      // Imports messages written while it was broken.
      ...(!isSame && { cursor: { ts: `${Math.floor(Date.now() / 1000)}.000000` } }),
      credentials,
    }),
  )
  await context.liveConnections.reconcile()
  // Deliveries that waited while it was broken.
  wakeSender(context)
  return connected
}

/** Masked tokens keep those of the changed connection. */
async function readTokens(
  context: Context,
  { account_id }: User,
  { bot_token, app_token, ...target }: SlackTokens,
): Promise<SlackCredentials> {
  const connected = await listSlack(context, account_id, { type: target.type ?? 'reply', inbox_id: target.inbox_id })
  const current = target.id ? connected.find(({ id }) => id === target.id) : connected[0]
  const bot = retainMasked(bot_token?.trim(), current?.credentials.access_token)
  const app = retainMasked(app_token?.trim(), current?.credentials.app_token ?? undefined) ?? null
  if (!bot) throw new Invalid({ bot_token: ["can't be blank"] })
  const hasSecret = !!(await findApp(context, account_id, 'slack'))?.signing_secret
  if (!app && !hasSecret && !context.config.slackSigningSecret) throw new Invalid({ app_token: ["can't be blank"] })
  const stored = current && bot === current.credentials.access_token ? await readFresh(context, current) : undefined
  return { refresh_token: null, expires_at: null, access_token: bot, ...stored, app_token: app }
}

/** A connection's current credentials: they may have been renewed since they were read. */
async function readFresh(context: Context, slack: Slack): Promise<SlackCredentials | undefined> {
  await withBotToken(context, slack, async () => undefined)
  return (await loadSlack(context, slack.account_id, slack.id))?.credentials
}

async function findExisting(
  context: Context,
  account_id: string,
  { type, inbox_id, team_id }: { type: SlackType; inbox_id: string; team_id: string },
): Promise<Slack | undefined> {
  const connected = await listSlack(context, account_id, { type, inbox_id })
  return connected.find(({ settings }) => type === 'reply' || settings.team_id === team_id)
}

const TAKEN =
  'This Slack channel has already been connected with another integration.\nPlease select another channel, or disconnect the other integration and try again.'

async function assertNotTaken(
  db: Db,
  account_id: string,
  { type, inbox_id, address }: { type: SlackType; inbox_id: string; address: string },
): Promise<void> {
  const others = await acrossAccounts(db, 'a channel is connected once in the whole installation')
    .selectFrom('authorizations')
    .select(['account_id', 'integration', 'inbox_id'])
    .where('integration', 'in', ['slack', 'slack:sync'])
    .where('address', '=', address)
    .where('removed_at', 'is', null)
    .execute()
  const isOther = (other: (typeof others)[number]) =>
    other.account_id !== account_id || other.integration !== integrationOf(type) || other.inbox_id !== inbox_id
  if (others.some(isOther)) throw new Refusal(400, TAKEN, 'connected_elsewhere')
}

interface EnteredChannel extends ChosenChannel {
  bot_name: string
  inbox_name: string
}

/** Joins the channel if possible, and posts what it is for, which shows that it can write. */
async function enterChannel(context: Context, entered: EnteredChannel) {
  const { channel_id: channel, credentials, type, bot_name, inbox_name } = entered
  const { access_token } = credentials
  const details = await readChannel(context, access_token, channel)
  const channelName = `#${details.name}`
  const isMember = details.is_member || (!details.is_private && (await join(context, access_token, channel)))
  const invite = isMember
    ? ''
    : ` Please invite the app, so that it sees what is written here: \`/invite @${bot_name}\``
  const text =
    type === 'reply'
      ? `:wave: Conversations of the inbox “${isolate(inbox_name)}” will be posted here. Answer in their threads; begin with \`;;\` to write a private note.${invite}`
      : `:wave: This channel is now connected with our support.${invite}`
  await requestSlack(context, access_token, (client) => client.chat.postMessage({ channel, text }), channelName)
  return details
}

/** Older apps have no permission to join by themselves. */
async function join(context: Context, token: string, channel: string): Promise<boolean> {
  try {
    await requestSlack(context, token, (client) => client.conversations.join({ channel }))
    return true
  } catch (error) {
    if (error instanceof SlackRefused || error instanceof ConnectionRevoked) return false
    throw error
  }
}
