import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { storeInbound } from '../../features/connections/inbound/store-event.ts'
import type { Mattermost } from './authorization.ts'

const FileInfo = z.object({ id: z.string(), name: z.string(), size: z.optional(z.number()) })

/** A post in Mattermost's shape, with the fields we use. */
export const Post = z.object({
  id: z.string(),
  channel_id: z.string(),
  user_id: z.string(),
  root_id: z.string(),
  message: z.string(),
  type: z.optional(z.string()),
  create_at: z.number(),
  edit_at: z.optional(z.number()),
  delete_at: z.optional(z.number()),
  props: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  metadata: z.optional(z.nullable(z.object({ files: z.optional(z.nullable(z.array(FileInfo))) }))),
})
export type Post = z.output<typeof Post>

/** The posts of a list, oldest first. */
export function readPosts(body: unknown): Post[] {
  const list = z.object({ posts: z.nullable(z.record(z.string(), z.unknown())) })
  const parsed = z.safeParse(list, body)
  const posts = Object.values(parsed.success ? (parsed.data.posts ?? {}) : {}).flatMap((value) => {
    const post = z.safeParse(Post, value)
    return post.success ? [post.data] : []
  })
  return posts.sort((a, b) => a.create_at - b.create_at)
}

/** Whether a post is ours or another program's: such posts are ignored to prevent loops. */
export function isOfMachine({ settings }: Mattermost, { user_id, props, type }: Post): boolean {
  const { from_bot, from_webhook } = props ?? {}
  return user_id === settings.bot_user_id || !!type || [from_bot, from_webhook].some((flag) => `${flag}` === 'true')
}

/**
 * Stores a post of a thread, an edit or a deletion, unless it is known. After that it may be acknowledged.
 */
export async function storePost(context: Context, mattermost: Mattermost, post: Post): Promise<void> {
  const { account_id, id, settings } = mattermost
  if (post.channel_id !== settings.channel_id || !post.root_id || isOfMachine(mattermost, post)) return
  const { edit_at = 0, delete_at = 0 } = post
  const what = delete_at ? 'deleted' : edit_at ? `edited ${edit_at}` : 'post'
  await context.change((tx) =>
    storeInbound(context, tx, {
      account_id,
      integration: 'mattermost',
      authorization_id: id,
      key: `${id} ${post.id} ${what}`,
      queue: `${id} ${post.root_id}`,
      payload: { post },
    }),
  )
}

/** Stores that a post exists, for a call that only contains its id. */
export async function storePostId(
  context: Context,
  { account_id, id }: { account_id: string; id: string },
  post_id: string,
): Promise<void> {
  await context.change((tx) =>
    storeInbound(context, tx, {
      account_id,
      integration: 'mattermost',
      authorization_id: id,
      key: `${id} ${post_id} post`,
      queue: `${id} called`,
      payload: { post_id },
    }),
  )
}
