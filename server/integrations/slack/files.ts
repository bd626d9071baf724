import type { Context } from '../../context.ts'
import { describeFile, LARGEST_TAKEN } from '../../features/connections/mirrors/missing-files.ts'
import { storeFile } from '../../features/conversations/files/files.ts'
import { RetryLater } from '../../integration.ts'
import type { Slack } from './authorization.ts'
import { isOfSlack } from './client.ts'
import type { SlackFile } from './events.ts'
import { withBotToken } from './token.ts'

const MAX_FILES = 20
const TIMEOUT_MS = 60_000

/** The files of a message: stored ones, and lines for those that were not stored. */
export interface StoredFiles {
  file_ids: string[]
  /** Links to the others, as Markdown. */
  lines: string[]
}

/**
 * Downloads the files of a message. Those that no message uses are destroyed within a day.
 * @throws Later if Slack does not deliver one at the moment
 */
export async function storeFiles(context: Context, slack: Slack, files: SlackFile[]): Promise<StoredFiles> {
  const stored: StoredFiles = { file_ids: [], lines: [] }
  for (const file of files.slice(0, MAX_FILES)) {
    const bytes = await fetchFile(context, slack, file)
    if (!bytes?.length) {
      stored.lines.push(describeFile(file.name ?? 'File', 'Slack', file.permalink))
      continue
    }
    const filename = file.name?.slice(0, 255) || 'file'
    const saved = await storeFile(context, slack.account_id, { kind: 'anonymous', address: '' }, { filename, bytes })
    stored.file_ids.push(saved.id)
  }
  return stored
}

/** Undefined for files that are too large, deleted or external. */
async function fetchFile(context: Context, slack: Slack, file: SlackFile): Promise<Buffer | undefined> {
  const { url_private_download: address, size = 0, mode } = file
  if (!address || size > LARGEST_TAKEN || mode === 'tombstone' || !isOfSlack(context, address)) return undefined
  const answer = await withBotToken(context, slack, (token) =>
    context.outbound.request(address, {
      headers: { authorization: `Bearer ${token}` },
      max_bytes: LARGEST_TAKEN,
      timeout_ms: TIMEOUT_MS,
      // Slack's address is an operator's setting.
      may_be_private: true,
      redirects: 0,
    }),
  )
  if (answer.status >= 500 || answer.status === 429)
    throw new RetryLater('A file cannot be downloaded from Slack at the moment.')
  // Without the permission to read files, Slack returns its sign-in page.
  const isPage = /^text\/html/.test(answer.headers.get('content-type') ?? '') && !/html/.test(file.mimetype ?? '')
  return answer.ok && !isPage ? answer.bytes : undefined
}
