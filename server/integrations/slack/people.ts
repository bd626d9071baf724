import type { Context } from '../../context.ts'
import { findIdentity, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { withEmoji } from '../../features/connections/mirrors/emoji.ts'
import type { Slack } from './authorization.ts'
import { SlackRefused } from './client.ts'
import { requestAs } from './token.ts'

/** A person in Slack. */
export interface Person {
  /** Workspace and user id: `T1/U1`. */
  external_id: string
  name: string | null
  email: string | null
  photo: string | null
  time_zone: string | null
  is_bot: boolean
  /** The customer linked to this person. */
  customer_id: string | null
}

const KEPT_MS = 24 * 3_600_000

/** A person's details. Slack's answer is cached for a day. */
export async function readPerson(context: Context, slack: Slack, user: string, team?: string): Promise<Person> {
  const { account_id, settings } = slack
  const external_id = `${team ?? settings.team_id}/${user}`
  const identity = await findIdentity(context.db, account_id, 'slack', external_id)
  if (identity?.fetched_at && Date.parse(identity.fetched_at) > Date.now() - KEPT_MS) {
    const { name, email, photo, customer_id } = identity
    return { external_id, name, email, photo, customer_id, time_zone: null, is_bot: user === settings.bot_user_id }
  }
  // People of other workspaces may be hidden from the app.
  const response = await requestAs(context, slack, (client) => client.users.info({ user })).catch((error: unknown) => {
    if (error instanceof SlackRefused) return undefined
    throw error
  })
  const { profile, real_name, name, tz, is_bot = false } = response?.user ?? {}
  const written = [profile?.real_name, real_name, profile?.display_name, name].find((candidate) => candidate?.trim())
  const person = {
    // People put emoji into their names.
    name: written ? (await withEmoji(written)).slice(0, 255) : null,
    email: profile?.email?.trim().toLowerCase().slice(0, 255) || null,
    photo: pictureOf(profile),
  }
  await context.change((tx) => saveIdentity(tx, account_id, { integration: 'slack', external_id, ...person }))
  return { external_id, ...person, time_zone: tz ?? null, is_bot, customer_id: identity?.customer_id ?? null }
}

function pictureOf(profile: { image_192?: string; image_72?: string; image_48?: string } | undefined): string | null {
  const address = profile?.image_192 || profile?.image_72 || profile?.image_48
  return address && /^https?:\/\/\S{1,1900}$/.test(address) ? address : null
}

/** Names of the people mentioned in texts. */
export async function readNames(context: Context, slack: Slack, users: string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const user of users.slice(0, 20)) {
    const { name } = await readPerson(context, slack, user)
    if (name) names.set(user, name)
  }
  return names
}
