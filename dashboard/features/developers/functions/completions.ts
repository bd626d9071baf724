import { WEBHOOK_EVENTS } from '#contract/developers/webhooks.ts'
import type { Completions } from '../../../ui/CodeEditor.tsx'

const RESOURCES = ['conversations', 'customers', 'messages', 'tags', 'issues', 'notes', 'companies']
const CLIENT = ['me', 'users', ...RESOURCES]
const METHODS = [
  { label: 'list', detail: '(query)' },
  { label: 'retrieve', detail: '(id)' },
  { label: 'create', detail: '(fields)' },
  { label: 'update', detail: '(id, fields)' },
]
const ADD_TAG = { label: 'addTag', detail: '(id, tag_id)' }
const PAYLOAD = [
  { label: 'id', detail: 'text' },
  { label: 'body', detail: 'text, of a message' },
  { label: 'conversation_id', detail: 'text, of a message' },
  { label: 'customer_id', detail: 'text' },
  { label: 'customer', detail: 'object' },
  { label: 'type', detail: "'reply', 'note' or 'bot'" },
  { label: 'source', detail: 'text, such as chat' },
  { label: 'status', detail: "'open' or 'closed', of a conversation" },
  { label: 'attachments', detail: 'list' },
  { label: 'metadata', detail: 'object' },
  { label: 'created_at', detail: 'time' },
]
const EVERYWHERE = [
  { label: 'event', detail: 'what happened' },
  { label: 'payload', detail: 'what it happened to' },
  { label: 'parley', detail: 'the client' },
  { label: 'fetch', detail: '(address, options)' },
  { label: 'console.log', detail: '(…values)' },
  { label: 'crypto.randomUUID', detail: '()' },
]

/** Completions for the text before the cursor. */
export function completeFunction(line: string): Completions | undefined {
  const [, name, typed = ''] = /(\w+)\.(\w*)$/.exec(line) ?? []
  if (name && RESOURCES.includes(name)) {
    const taggable = name === 'conversations' || name === 'customers'
    return { typed, options: taggable ? [...METHODS, ADD_TAG] : METHODS }
  }
  if (name === 'users') return { typed, options: METHODS.slice(0, 2) }
  if (name === 'payload') return { typed, options: PAYLOAD }
  if (name === 'parley' || name === 'papercups') return { typed, options: CLIENT.map((label) => ({ label })) }
  if (name) return undefined
  const [, quoted] = /\bevent\b[^'"]*['"]([\w:]*)$/.exec(line) ?? []
  if (quoted !== undefined) return { typed: quoted, options: WEBHOOK_EVENTS.map((label) => ({ label })) }
  const [, word] = /(?:^|[^\w.'"])(\w{2,})$/.exec(line) ?? []
  return word ? { typed: word, options: EVERYWHERE } : undefined
}
