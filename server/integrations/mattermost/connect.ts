import * as z from 'zod/mini'
import type { MattermostChannel, MattermostDraft } from '#contract/integrations/mattermost.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import { assertSwitchedOn, connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { retainMasked } from '../../features/connections/authorizations/secrets.ts'
import { asRefusal } from '../../features/connections/authorizations/vendor-call.ts'
import { wakeSender } from '../../features/connections/deliveries/sender.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import type { User } from '../../platform/caller.ts'
import { newToken } from '../../platform/secrets.ts'
import { addressOf, findMattermost } from './authorization.ts'
import { type Access, readAddress, requestMattermost } from './client.ts'

const Me = z.object({ id: z.string(), username: z.string() })
const Channel = z.object({
  id: z.string(),
  name: z.string(),
  display_name: z.string(),
  team_id: z.string(),
  type: z.string(),
})
const Team = z.object({ id: z.string(), name: z.string(), display_name: z.string() })

/**
 * Connects a channel, after testing its bot.
 * @throws Refusal with what to do
 */
export async function connectMattermost(context: Context, caller: User, draft: MattermostDraft) {
  assertSwitchedOn(context)
  const { account_id } = caller
  const inbox = await chooseInbox(context.db, account_id, draft.inbox_id)
  if (!inbox) throw new Invalid({ inbox_id: ['does not exist'] })
  const existing = await findMattermost(context, account_id, inbox.id)
  const url = readAddress(draft.mattermost_url)
  if (!url) throw new Invalid({ mattermost_url: ['is invalid'] })
  // A token is only sent to the server it was entered for.
  const stored = existing?.settings.url === url ? existing.credentials : undefined
  const access_token = retainMasked(draft.access_token?.trim(), stored?.access_token)
  if (!access_token)
    throw new Invalid({ access_token: [existing ? 'must be entered again for another server' : "can't be blank"] })
  const verification_token =
    retainMasked(draft.verification_token?.trim(), stored?.verification_token) ?? newToken('parley_mattermost_')
  const tried = await tryBot(context, { url, access_token }, draft.channel_id)
  const isSame = existing?.settings.channel_id === draft.channel_id && existing.settings.url === url
  const connected = await context.change((tx) =>
    connectAuthorization(context, tx, caller, {
      integration: 'mattermost',
      inbox_id: inbox.id,
      label: `${tried.channel_name} · ${tried.team_name}`,
      address: addressOf(draft.channel_id, url),
      way_in: 'live',
      settings: { url, channel_id: draft.channel_id, ...tried },
      ...(!isSame && { cursor: { since: Date.now() } }),
      credentials: { access_token, verification_token },
    }),
  )
  await context.liveConnections.reconcile()
  // Deliveries that waited while it was broken.
  wakeSender(context)
  return connected
}

async function tryBot(context: Context, access: Access, channel_id: string) {
  try {
    const me = z.parse(Me, await requestMattermost(context, access, { path: '/users/me' }))
    const channel = z.parse(
      Channel,
      await requestMattermost(context, access, { path: `/channels/${encodeURIComponent(channel_id)}` }),
    )
    const team = channel.team_id
      ? z.parse(
          Team,
          await requestMattermost(context, access, { path: `/teams/${encodeURIComponent(channel.team_id)}` }),
        )
      : undefined
    return {
      bot_user_id: me.id,
      channel_name: channel.display_name || channel.name,
      team_id: channel.team_id,
      team_name: team?.display_name ?? '',
      team_domain: team?.name ?? '',
    }
  } catch (error) {
    throw asRefusal(error)
  }
}

const PAGE = 200

/** The channels a bot can see, by team and name: those of its teams, including private ones it belongs to. */
export async function listChannels(context: Context, access: Access): Promise<MattermostChannel[]> {
  try {
    const teams = z.parse(z.array(Team), await requestMattermost(context, access, { path: '/users/me/teams' }))
    const all: MattermostChannel[] = []
    for (const { id, display_name } of teams.slice(0, 50)) {
      const own = await requestMattermost(context, access, {
        path: `/users/me/teams/${encodeURIComponent(id)}/channels`,
      })
      const tx = await requestMattermost(context, access, {
        path: `/teams/${encodeURIComponent(id)}/channels?per_page=${PAGE}`,
      })
      for (const channel of [...z.parse(z.array(Channel), own), ...z.parse(z.array(Channel), tx)]) {
        if (channel.team_id) all.push({ ...channel, team_name: display_name })
      }
    }
    return [...new Map(all.map((channel) => [channel.id, channel])).values()].sort((a, b) =>
      `${a.team_name} ${a.display_name}`.localeCompare(`${b.team_name} ${b.display_name}`),
    )
  } catch (error) {
    throw asRefusal(error)
  }
}
