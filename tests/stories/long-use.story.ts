import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as check, onTestFailed, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, openDashboard, type Scene, setScene } from './scene.ts'

/** An agent handles two hundred a day; with MANY=200 this takes two minutes. */
const MANY = Number(process.env.MANY) || 40
const SEED = Number(process.env.SEED) || Date.now() % 1_000_000
const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }

let scene: Scene
let ben: string

beforeAll(async () => {
  scene = await setScene({}, { RATE_LIMITS: 'off' })
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { invite_token: data.id, ...BEN, password_confirmation: BEN.password }
  ben = (await call(scene.url, 'POST', '/api/registration', { user })).data.token
  for (let from = 0; from < MANY; from += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, at) => startConversation(`Customer ${from + at + 1}`)))
  }
})
afterAll(() => scene.close())

async function startConversation(name: string) {
  const { account_id, url, token } = scene
  const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name } })
  const customer_id: string = customer.data.id
  const conversation = { account_id, customer_id, message: { body: `question of ${name}` } }
  const opened = await call(url, 'POST', '/api/conversations', { conversation }, token)
  const message = { conversation_id: opened.data.id, customer_id, body: `${name} waits` }
  await call(url, 'POST', '/api/messages', { message }, token)
}

/** The same numbers for the same seed, from 0 to 1. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const STEPS = [
  'close',
  'close',
  'close',
  'close',
  'close',
  'reply',
  'reply',
  'note',
  'closed by a colleague',
  'cut',
] as const
type Step = (typeof STEPS)[number]

/** The expected contents of each conversation: the team's messages in order, notes marked. */
type Meant = Map<string, string[]>

test('a day of conversations by keyboard, with lost connections, a colleague’s closing and notes: no unintended action, nothing lost', async () => {
  onTestFailed(() => console.error(`Run it again with SEED=${SEED}`))
  const random = createRandom(SEED)
  const meant: Meant = new Map()
  const { page } = await openDashboard(scene)
  let previousId: string | undefined
  for (let turn = 0; ; turn++) {
    const id = await arrive(page, previousId)
    if (!id) break
    const step = STEPS[Math.floor(random() * STEPS.length)]!
    // What could not be closed while offline is reported, comes back, and is done once more.
    meant.set(id, [...(meant.get(id) ?? []), ...(await carryOut(page, id, step, `words ${turn} #1 e d`))])
    previousId = id
  }
  check(meant.size).toBe(MANY)
  await check.poll(() => readAll(), { timeout: 20_000, interval: 500 }).toEqual(Object.fromEntries(meant))
}, 600_000)

/** The id of the next conversation once its editor is ready; undefined when all are closed, also on the server. */
async function arrive(page: Page, previousId: string | undefined): Promise<string | undefined> {
  const write = page.getByPlaceholder(/^Write a (reply|private note)/)
  const nothing = page.getByText('Nothing to show here! Take a well-earned break')
  let before = previousId
  let id: string | undefined
  await check
    .poll(
      async () => {
        id = /[\da-f-]{36}$/.exec(new URL(page.url()).pathname)?.[0]
        if (id) return id !== before && (await write.isVisible())
        before = undefined
        if (await nothing.isVisible()) return (await countOpen()) === 0
        await page.keyboard.press('j')
        return false
      },
      { timeout: 30_000, interval: 10 },
    )
    .toBe(true)
  return id
}

async function countOpen(): Promise<number> {
  const { data } = await call(scene.url, 'GET', '/api/conversations?status=open&limit=1', undefined, scene.token)
  return data.length
}

/** Performs one step in the open conversation and leaves it closed; returns its expected contents. */
async function carryOut(page: Page, id: string, step: Step, text: string): Promise<string[]> {
  const write = page.getByPlaceholder(/^Write a (reply|private note)/)
  if (step === 'close') {
    await page.keyboard.press('Control+d')
    return []
  }
  if (step === 'note') {
    await leaveField(page)
    await page.keyboard.press('n')
    await expect(page.getByPlaceholder(/^Write a private note/)).toBeFocused()
    await page.keyboard.type(text)
    await page.keyboard.press('Control+Enter')
    // After a note, the editor is set to a reply again.
    await expect(page.getByPlaceholder('Write a reply')).toHaveValue('')
    await page.keyboard.press('Control+d')
    return [`note: ${text}`]
  }
  await write.focus()
  if (step === 'cut') await page.context().setOffline(true)
  await page.keyboard.type(text.slice(0, 9))
  if (step === 'closed by a colleague') {
    await call(scene.url, 'PUT', `/api/conversations/${id}`, { conversation: { status: 'closed' } }, ben)
    await expect(page.getByText('ben@acme.test closed this conversation.')).toBeVisible()
  }
  await page.keyboard.type(text.slice(9))
  await page.keyboard.press('Control+Enter')
  await expect(write).toHaveValue('')
  if (step === 'cut') await page.context().setOffline(false)
  await expect(page.getByRole('log').getByText(text)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close conversation' })).toBeVisible()
  await page.keyboard.press('Control+d')
  return [text]
}

/** Letters are commands only outside of fields. */
async function leaveField(page: Page) {
  for (let tries = 0; tries < 5; tries++) {
    if (!(await page.evaluate(() => document.activeElement?.matches('textarea, input')))) return
    await page.keyboard.press('Shift+Tab')
  }
}

/** The team's messages of every conversation by id; `open` or `deleted` marks unexpected states. */
async function readAll(): Promise<Record<string, string[]>> {
  const held: Record<string, string[]> = {}
  for (const status of ['closed', 'open']) {
    let after = ''
    do {
      const query = new URLSearchParams({ status, limit: '100', ...(after && { after }) })
      const { data, next } = await call(scene.url, 'GET', `/api/conversations?${query}`, undefined, scene.token)
      for (const { id, messages, priority, archived_at } of data) {
        const odd = [status === 'open' && 'open', priority === 'priority' && 'prioritized', archived_at && 'deleted']
        held[id] = [...odd.filter(Boolean), ...messages.filter(isOfTeam).map(read)]
      }
      after = next ?? ''
    } while (after)
  }
  return held
}

interface SentMessage {
  user_id: number | null
  private: boolean
  body: string
}

const isOfTeam = ({ user_id, body }: SentMessage) => user_id !== null && body.startsWith('words')
const read = ({ private: isNote, body }: SentMessage) => (isNote ? `note: ${body}` : body)
