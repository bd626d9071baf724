import type { Change } from '../../platform/db/change.ts'
import { deriveId } from '../../platform/secrets.ts'
import { postMessage } from '../conversations/posting.ts'

/** Bytes of a file that is taken over from a channel. */
export const LARGEST_TAKEN = 8_000_000

/** A file that was not taken over, as a line of Markdown: its name, and where people find it. */
export function describeFile(name: string, vendor: 'Slack' | 'Mattermost', permalink?: string): string {
  const label = name.replaceAll(/[[\]]/g, '')
  return `${permalink ? `[${label}](${permalink})` : label} (in ${vendor})`
}

interface MissingFiles {
  account_id: string
  authorization_id: string
  conversation_id: string
  /** What the message that they came with is called there. */
  external_id: string
  source: 'slack' | 'mattermost'
  /** One for each file, from `describeFile`. */
  lines: string[]
}

/**
 * Tells the team by a private note which files of an answer were not taken over, once for each message. Customers must not be
 * shown links that they cannot open.
 */
export async function tellMissingFiles(open: Change, missing: MissingFiles): Promise<void> {
  const { account_id, authorization_id, conversation_id, external_id, source, lines } = missing
  if (lines.length === 0) return
  await postMessage(
    open,
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
