import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'

/** Maximum size of a file copied from a channel. */
export const LARGEST_TAKEN = 8_000_000

/** A file that was not copied, as a line of Markdown: its name, and where to find it. */
export function describeFile(name: string, vendor: 'Slack' | 'Mattermost', permalink?: string): string {
  const label = name.replaceAll(/[[\]]/g, '')
  return `${permalink ? `[${label}](${permalink})` : label} (in ${vendor})`
}

interface MissingFiles {
  account_id: string
  authorization_id: string
  conversation_id: string
  /** The external id of the message with the files. */
  external_id: string
  source: 'slack' | 'mattermost'
  /** One per file, from `describeFile`. */
  lines: string[]
}

/**
 * Lists the files of a reply that were not copied in a private note, once per message. Customers must not be shown
 * links that they cannot open.
 */
export async function postMissingFiles(context: Context, tx: Change, missing: MissingFiles): Promise<void> {
  const { account_id, authorization_id, conversation_id, external_id, source, lines } = missing
  if (lines.length === 0) return
  await postMessage(
    context,
    tx,
    account_id,
    { kind: 'bot', user_id: null },
    {
      id: deriveId(`${source} files ${authorization_id} ${external_id}`),
      conversation_id,
      body: `These files were not sent, because they are larger than 8 MB or could not be read:\n\n${lines.map((line) => `- ${line}`).join('\n')}`,
      type: 'note',
      private: true,
      source,
      isQuiet: true,
    },
  )
}
