import * as z from 'zod/mini'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../context.ts'
import { filterActiveUsers } from '../../features/accounts/users/users.ts'
import { loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import {
  findMessage,
  findThread,
  linkMessage,
  linkThread,
} from '../../features/connections/external-links/external-links.ts'
import { findIdentity, saveIdentity } from '../../features/connections/external-links/identities.ts'
import { chooseUser, findTeamMember, findUserByName } from '../../features/connections/mirrors/author.ts'
import { mirrorChange } from '../../features/connections/mirrors/changes.ts'
import { withEmoji } from '../../features/connections/mirrors/emoji.ts'
import { describeFile, LARGEST_TAKEN, postMissingFiles } from '../../features/connections/mirrors/missing-files.ts'
import { readNote } from '../../features/connections/mirrors/notes.ts'
import { receiveOrExplain } from '../../features/connections/mirrors/unsendable-reply.ts'
import { getConversationRow } from '../../features/conversations/conversations/conversations.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { storeFile } from '../../features/conversations/files/files.ts'
import { type InboundOutcome, ignored, type ReceivedEvent } from '../../integration.ts'
import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import { accessOf, type Mattermost } from './authorization.ts'
import { fetchFile, requestMattermost } from './client.ts'
import { isOfMachine, Post } from './events.ts'

const FILES = 20

/** Turns a team member's post in a thread into a reply, or a note. */
export async function receive(context: Context, event: ReceivedEvent): Promise<InboundOutcome> {
  const { account_id, authorization_id, payload } = event
  const mattermost = authorization_id
    ? await loadConnected<Mattermost>(context, account_id, authorization_id)
    : undefined
  if (!mattermost) return ignored('Its channel has been disconnected.')
  const post = await readPost(context, mattermost, payload)
  if (!post) return ignored('Its type is unknown.')
  if (post.channel_id !== mattermost.settings.channel_id || isOfMachine(mattermost, post)) {
    return ignored('It was written by a bot, or it is in another channel.')
  }
  const conversation_id = post.root_id ? await findConversationOf(context, mattermost, post.root_id) : undefined
  if (!conversation_id) return ignored('It is in no thread of a conversation.')
  const { edit_at = 0, delete_at = 0 } = post
  if (!edit_at && !delete_at) return receiveAnswer(context, mattermost, conversation_id, post)
  const changed = await mirrorChange(context, {
    account_id,
    authorization_id: mattermost.id,
    channel_id: post.channel_id,
    external_id: post.id,
    readBody: delete_at ? null : async () => withEmoji(readNote(post.message).text),
    version: String(delete_at || edit_at),
    vendor: 'Mattermost',
  })
  return changed ?? receiveAnswer(context, mattermost, conversation_id, post)
}

/** The post from the live connection; for a webhook call, it is fetched. */
async function readPost(
  context: Context,
  mattermost: Mattermost,
  { post, post_id }: Record<string, unknown>,
): Promise<Post | undefined> {
  const id = typeof post_id === 'string' ? encodeURIComponent(post_id) : undefined
  const current = id ? await requestMattermost(context, accessOf(mattermost), { path: `/posts/${id}` }) : post
  const read = z.safeParse(Post, current)
  return read.success ? read.data : undefined
}

/** The conversation of a thread: as stored, else by the properties of its first post, which is ours. */
async function findConversationOf(
  context: Context,
  mattermost: Mattermost,
  thread: string,
): Promise<string | undefined> {
  const { account_id, id: authorization_id, settings } = mattermost
  const channelKey = { account_id, authorization_id, place: settings.channel_id }
  const link = await findThread(context.db, channelKey, thread)
  if (link) return link.conversation_id
  const path = `/posts/${encodeURIComponent(thread)}`
  const root = z.safeParse(Post, await requestMattermost(context, accessOf(mattermost), { path }))
  if (!root.success || root.data.user_id !== settings.bot_user_id) return undefined
  const { parley_conversation_id: conversation_id, parley_authorization_id: named } = root.data.props ?? {}
  if (typeof conversation_id !== 'string' || !isId(conversation_id) || named !== authorization_id) return undefined
  await getConversationRow(context.db, account_id, conversation_id)
  await context.change((tx) => linkThread(tx, { ...channelKey, thread, conversation_id, role: 'mirror' }))
  return conversation_id
}

async function receiveAnswer(
  context: Context,
  mattermost: Mattermost,
  conversation_id: string,
  post: Post,
): Promise<InboundOutcome> {
  const { account_id, id: authorization_id } = mattermost
  const { isPrivate, text } = readNote(post.message)
  const body = await withEmoji(text)
  const { file_ids, lines } = await storeFiles(context, mattermost, post)
  const isEmpty = !body.trim() && file_ids.length === 0
  if (isEmpty && lines.length === 0) return ignored('It has no content.')
  const author = await readAuthor(context, mattermost, conversation_id, post.user_id)
  const id = deriveId(`mattermost ${authorization_id} ${post.id}`)
  const channelKey = { account_id, authorization_id, place: post.channel_id }
  const reply = { account_id, authorization_id, conversation_id, external_id: post.id }
  const store = async (tx: Change): Promise<InboundOutcome> => {
    const isNew = await linkMessage(tx, { ...channelKey, external_id: post.id, message_id: id, direction: 'in' })
    if (!isNew) {
      const link = await findMessage(tx.db, channelKey, post.id)
      return link?.message_id === id
        ? { state: 'done', conversation_id, message_id: id }
        : ignored('It was already received.')
    }
    await postMissingFiles(context, tx, { ...reply, source: 'mattermost', lines })
    if (isEmpty) return ignored('It contains only a file, which could not be stored.')
    await postMessage(
      context,
      tx,
      account_id,
      { kind: 'user', user_id: author.user_id },
      {
        id,
        conversation_id,
        body,
        source: 'mattermost',
        type: isPrivate ? 'note' : 'reply',
        private: isPrivate,
        file_ids,
        external_author: author.external_author,
      },
    )
    return { state: 'done', conversation_id, message_id: id }
  }
  return receiveOrExplain(context, { ...reply, vendor: 'Mattermost', text }, () => context.change(store))
}

interface StoredFiles {
  file_ids: string[]
  /** The others, each as a line of Markdown. */
  lines: string[]
}

async function storeFiles(context: Context, mattermost: Mattermost, { id, metadata }: Post): Promise<StoredFiles> {
  const stored: StoredFiles = { file_ids: [], lines: [] }
  const { url, team_domain } = mattermost.settings
  for (const file of (metadata?.files ?? []).slice(0, FILES)) {
    const isTooLarge = (file.size ?? 0) > LARGEST_TAKEN
    const bytes = isTooLarge ? undefined : await fetchFile(context, accessOf(mattermost), file.id)
    if (bytes?.length) {
      const caller = { kind: 'anonymous' as const, address: '' }
      const upload = { filename: file.name.slice(0, 255), bytes }
      stored.file_ids.push((await storeFile(context, mattermost.account_id, caller, upload)).id)
    } else {
      const permalink = `${url}/${team_domain || '_redirect'}/pl/${id}`
      stored.lines.push(describeFile(file.name.slice(0, 255), 'Mattermost', permalink))
    }
  }
  return stored
}

const name = z.optional(z.string())
const User = z.object({ username: z.string(), email: name, nickname: name, first_name: name, last_name: name })
type User = z.output<typeof User>
const KEPT_MS = 24 * 3_600_000

interface PostAuthor {
  user_id: number
  /** Their name, if they have no account here. */
  external_author?: string
}

/**
 * The team member with the same e-mail address or user name. Anybody else writes under their own name, with the id of
 * the assignee, or of the first user.
 */
async function readAuthor(
  context: Context,
  mattermost: Mattermost,
  conversation_id: string,
  user: string,
): Promise<PostAuthor> {
  const { account_id } = mattermost
  const person = await readPerson(context, mattermost, user)
  const member = await findTeamMember(context.db, account_id, person)
  if (member) return { user_id: member.id }
  const [named] = person.user_id === null ? [] : await filterActiveUsers(context.db, account_id, [person.user_id])
  if (named !== undefined) return { user_id: named }
  const { assignee_id } = await getConversationRow(context.db, account_id, conversation_id)
  const user_id = await chooseUser(context.db, account_id, person, assignee_id)
  return { user_id, external_author: person.name ?? 'Somebody' }
}

/** A person's details. Mattermost's answer is cached for a day. */
async function readPerson(context: Context, mattermost: Mattermost, user: string) {
  const { account_id, settings } = mattermost
  const external_id = `${settings.url} ${user}`
  const cached = await findIdentity(context.db, account_id, 'mattermost', external_id)
  if (cached?.fetched_at && Date.parse(cached.fetched_at) > Date.now() - KEPT_MS) return cached
  const path = `/users/${encodeURIComponent(user)}`
  const profile = z.parse(User, await requestMattermost(context, accessOf(mattermost), { path }))
  const person = {
    // People put emoji into their names.
    name: (await withEmoji(nameOf(profile))).slice(0, 255),
    email: profile.email?.toLowerCase().slice(0, 255) || null,
    user_id: (await findUserByName(context.db, account_id, profile.username)) ?? null,
  }
  await context.change((tx) => saveIdentity(tx, account_id, { integration: 'mattermost', external_id, ...person }))
  return person
}

function nameOf({ nickname, first_name, last_name, username }: User): string {
  return nickname?.trim() || [first_name, last_name].filter(Boolean).join(' ').trim() || username
}
