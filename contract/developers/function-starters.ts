import type { WebhookEvent } from './webhooks.ts'

/** Example code to start a function from. */
export interface FunctionStarter {
  name: 'blank' | 'out_of_hours' | 'tag_by_word' | 'greet_by_page' | 'forward'
  events: WebhookEvent[]
  code: string
}

const blank = `const parley = require('parley')()

// Runs when a customer writes. What it returns is shown in its runs.
async function handler({event, payload}) {
  if (event !== 'message:created') return

  const {body, conversation_id} = payload
  console.log('A customer wrote:', body)
  return parley.messages.create({conversation_id, type: 'bot', body: \`You said: \${body}\`})
}
`

const outOfHours = `const parley = require('parley')()

// Hours in UTC in which somebody answers, on weekdays.
const OPENS = 9
const CLOSES = 17

// Answers once to customers who write out of hours.
async function handler({event, payload}) {
  const now = new Date()
  const isWeekend = [0, 6].includes(now.getUTCDay())
  const isOpen = !isWeekend && now.getUTCHours() >= OPENS && now.getUTCHours() < CLOSES
  if (event !== 'message:created' || isOpen) return

  const {conversation_id} = payload
  const {messages} = await parley.conversations.retrieve(conversation_id)
  if (messages.some(({type}) => type === 'bot')) return
  return parley.messages.create({
    conversation_id,
    type: 'bot',
    body: 'Thank you for writing. Nobody is here at the moment; we answer on the next working day.',
  })
}
`

const tagByWord = `const parley = require('parley')()

// A tag, and the words that call for it.
const TAGS = {
  billing: ['invoice', 'refund', 'payment'],
  shipping: ['delivery', 'parcel', 'tracking'],
}

// Tags conversations by what customers write.
async function handler({event, payload}) {
  const text = (payload.body ?? '').toLowerCase()
  const wanted = Object.keys(TAGS).filter((tag) => TAGS[tag].some((word) => text.includes(word)))
  if (event !== 'message:created' || wanted.length === 0) return

  const tags = await parley.tags.list()
  for (const name of wanted) {
    const tag = tags.find((item) => item.name === name) ?? (await parley.tags.create({name}))
    await parley.conversations.addTag(payload.conversation_id, tag.id)
  }
  return wanted
}
`

const greetByPage = `const parley = require('parley')()

// What is said to customers who begin a conversation on a page whose address contains a text.
const GREETINGS = {
  '/pricing': 'Hello! Tell us how large your team is, and we tell you which plan fits.',
  '/checkout': 'Hello! Is something holding up your order?',
}

async function handler({event, payload}) {
  if (event !== 'conversation:created') return

  const {current_url} = await parley.customers.retrieve(payload.customer_id)
  const page = Object.keys(GREETINGS).find((part) => (current_url ?? '').includes(part))
  if (!page) return
  return parley.messages.create({conversation_id: payload.id, type: 'bot', body: GREETINGS[page]})
}
`

const forward = `// Where messages of customers go.
const ADDRESS = 'https://example.com/hooks/parley'

async function handler({event, payload}) {
  const response = await fetch(ADDRESS, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({event, payload}),
  })
  if (!response.ok) throw new Error(\`\${ADDRESS} answered \${response.status}\`)
  return response.status
}
`

/** The examples a new function can start from. */
export const FUNCTION_STARTERS: FunctionStarter[] = [
  { name: 'blank', events: ['message:created'], code: blank },
  { name: 'out_of_hours', events: ['message:created'], code: outOfHours },
  { name: 'tag_by_word', events: ['message:created'], code: tagByWord },
  { name: 'greet_by_page', events: ['conversation:created'], code: greetByPage },
  { name: 'forward', events: ['message:created'], code: forward },
]
