import type { VisitorMessage } from '#contract/conversations/messages.ts'
import type { ChatState } from '../state.ts'
import type { Store } from '../store.ts'
import { EMPTY_THREAD } from '../thread/thread.ts'

/** Shows a sample conversation, for the preview of the settings. */
export function showSample(store: Store<ChatState>): void {
  const messages = WORDS.map(([by, body], index) => sampleMessage(index + 1, by, body))
  store.update({ thread: { ...EMPTY_THREAD, messages }, isLoading: false })
}

/** The preview is in English, whatever the website's language. */
const WORDS: [by: 'customer' | 'agent', body: string][] = [
  ['customer', 'Hi! Do you deliver on Saturdays?'],
  ['agent', 'We do, between **9 and 14**. Shall I reserve a time for you?'],
  ['customer', '10 would be perfect, thank you'],
  ['agent', 'Done. See you on Saturday!'],
]
const MINUTE_MS = 60_000
const NOTHING = { email_subject: null, email_html: null, template: null, edited_at: null, metadata: null }

function sampleMessage(number: number, by: 'customer' | 'agent', body: string): VisitorMessage {
  const sent_at = new Date(Date.now() - (WORDS.length - number) * MINUTE_MS).toISOString()
  const isAgent = by === 'agent'
  return {
    ...NOTHING,
    id: `sample-${number}`,
    object: 'message',
    account_id: '',
    conversation_id: '',
    number,
    body,
    type: 'reply',
    content_type: 'text/plain',
    private: false,
    source: 'chat',
    created_at: sent_at,
    sent_at,
    seen_at: sent_at,
    customer_id: isAgent ? null : 'sample',
    user_id: isAgent ? 0 : null,
    user: isAgent ? agent(sent_at) : null,
    attachments: [],
  }
}

function agent(created_at: string): VisitorMessage['user'] {
  return {
    id: 0,
    object: 'user',
    account_id: '',
    email: '',
    role: 'user',
    full_name: 'Alex',
    display_name: 'Alex',
    profile_photo_url: null,
    created_at,
    disabled_at: null,
    archived_at: null,
  }
}
