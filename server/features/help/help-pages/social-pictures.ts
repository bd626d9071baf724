import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { type Context, perServer } from '../../../context.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { convertPicture } from '../../../platform/files/convert-picture.ts'
import { releaseMade, storeContent } from '../../conversations/files/files.ts'
import type { HelpCenterRow } from '../help-center/help-center.ts'

/** What other websites show beside a link to a page, in pixels. */
export const SOCIAL_WIDTH = 1200
export const SOCIAL_HEIGHT = 630

/** Types that can be drawn on. */
const DRAWABLE = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

/** The path of such a picture below the help center. The color is in it, so that nobody keeps one with an older one. */
export function socialPath(source_id: string, color: string): string {
  return `/social/${source_id}-${color.slice(1)}.png`
}

/** The id of the picture that such a path means. */
export function socialSource(path: string): string | undefined {
  return /^social\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-[0-9a-f]{6}\.png$/.exec(path)?.[1]
}

/** The picture that stands for an article: its first one, or else the logo; null if there is neither. */
export async function chooseSource(
  { db }: Pick<Context, 'db'>,
  { account_id, logo_file_id }: HelpCenterRow,
  html: string,
): Promise<string | null> {
  const shown = Array.from(html.matchAll(/<img src="\/help\/files\/([0-9a-f-]{36})\//g), ([, id]) => id!)
  const ids = [...shown.slice(0, 20), ...(logo_file_id ? [logo_file_id] : [])]
  if (ids.length === 0) return null
  const rows = await ofAccount(db, account_id)
    .selectFrom('files')
    .select('id')
    .where('id', 'in', ids)
    .where('content_type', 'in', DRAWABLE)
    .execute()
  return ids.find((id) => rows.some((row) => row.id === id)) ?? null
}

/** A picture that was made. */
export interface MadePicture {
  id: string
  key: string
  filename: string
  content_type: string
  size: number
}

/** Pictures that are being made on this server, so that many requests at once make one. */
const making = perServer(() => new Map<string, Promise<MadePicture | undefined>>())

/**
 * A stored picture of a public one, made by the first request. Undefined if readers may not see that one, or it cannot
 * be drawn.
 * @throws WorkersBusy
 */
export async function findSocialPicture(
  context: Context,
  center: HelpCenterRow,
  source_id: string,
  /** Called before one is made. */
  pay: () => Promise<void>,
): Promise<MadePicture | undefined> {
  const source = await findSource(context, center, source_id)
  if (!source) return undefined
  const made = await findMade(context, center, source_id)
  if (made) return made
  await pay()
  const key = `${source_id} ${center.color}`
  const running = making(context)
  const picture = running.get(key) ?? make(context, center, source).finally(() => running.delete(key))
  running.set(key, picture)
  return picture
}

interface Source {
  id: string
  key: string
}

async function findSource({ db }: Pick<Context, 'db'>, { account_id, logo_file_id }: HelpCenterRow, id: string) {
  return ofAccount(db, account_id)
    .selectFrom('files')
    .select(['id', 'key'])
    .where('id', '=', id)
    .where('content_type', 'in', DRAWABLE)
    .where(
      sql<boolean>`(${id === logo_file_id} or exists (select from article_files f
        where f.account_id = files.account_id and f.file_id = files.id and f.is_public))`,
    )
    .executeTakeFirst()
}

function findMade({ db }: Pick<Context, 'db'>, { account_id, color }: HelpCenterRow, source_id: string) {
  return ofAccount(db, account_id)
    .selectFrom('files')
    .select(['id', 'key', 'filename', 'content_type', 'size'])
    .where('made_from', '=', source_id)
    .where('made_as', '=', color)
    .limit(1)
    .executeTakeFirst()
}

async function make(context: Context, center: HelpCenterRow, { id, key }: Source): Promise<MadePicture | undefined> {
  const { account_id, color, logo_file_id } = center
  const contents = await context.files.get(key)
  if (!contents) return undefined
  const kind = id === logo_file_id ? 'social-logo' : 'social'
  const bytes = await convertPicture(context.pictures, account_id, kind, await buffer(contents), { ground: color })
  if (!bytes) return undefined
  // One with an older color is not needed any more.
  await context.change((tx) => releaseMade(tx, account_id, id))
  const file = { filename: 'social.png', bytes, content_type: 'image/png', made_from: id, made_as: color }
  await storeContent(context, account_id, { kind: 'anonymous', address: '' }, file)
  return findMade(context, center, id)
}
