import type { Context } from '../../../context.ts'
import type { InboundOutcome } from '../../../integration.ts'
import { deriveId } from '../../../platform/secrets.ts'
import { postMessage } from '../../conversations/conversations/posting.ts'
import { Unsendable } from '../../conversations/conversations/unsendable.ts'

interface ReplyElsewhere {
  account_id: string
  authorization_id: string
  conversation_id: string
  /** The id of the reply in the other system, unique in its connection. */
  external_id: string
  vendor: 'Slack' | 'Mattermost'
  /** The beginning of the reply, by which people recognise it. */
  text: string
}

const SHOWN = 200

/**
 * Posts a reply written in another system. If it cannot reach the customer, it is refused as it is in the dashboard, and a private
 * note says so once: the note is shown in the thread in which it was written, too. "Try again" posts it later.
 */
export async function receiveOrExplain(
  context: Context,
  reply: ReplyElsewhere,
  post: () => Promise<InboundOutcome>,
): Promise<InboundOutcome> {
  try {
    return await post()
  } catch (error) {
    if (!(error instanceof Unsendable)) throw error
    await postExplanation(context, reply, error.message)
    return { state: 'ignored', reason: error.message, conversation_id: reply.conversation_id }
  }
}

async function postExplanation(context: Context, reply: ReplyElsewhere, sentence: string): Promise<void> {
  const { account_id, authorization_id, conversation_id, external_id, vendor, text } = reply
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text
  const quote = shown.replaceAll(/^/gm, '> ')
  await context.change((tx) =>
    postMessage(
      context,
      tx,
      account_id,
      { kind: 'bot', user_id: null },
      {
        id: deriveId(`${vendor} refused ${authorization_id} ${external_id}`),
        conversation_id,
        body: `This reply from ${vendor} was not sent:\n\n${quote}\n\n${sentence}`,
        type: 'note',
        private: true,
        source: vendor === 'Slack' ? 'slack' : 'mattermost',
        isQuiet: true,
      },
    ),
  )
}
