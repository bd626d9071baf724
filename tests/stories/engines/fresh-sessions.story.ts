import { expect, test } from 'vitest'
import { isInstalled, startEngine } from '#tests/support/engines/engines.ts'
import { Person } from '#tests/support/engines/person.ts'
import { ADA, call, type Scene, setScene } from '../scene.ts'

/**
 * How many browsers with a fresh profile open how many threads each. WebKit reports wrong sizes at times that differ from
 * run to run: `SESSIONS=20 THREADS=20` looks thoroughly, in a quarter of an hour.
 */
const SESSIONS = Number(process.env.SESSIONS) || 2
const THREADS = Number(process.env.THREADS) || 3
/** A minute for each thread and for signing in, on a busy machine. */
const timeout = SESSIONS * (THREADS + 1) * 60_000

/** How long a thread may take to appear. */
const PATIENCE_MS = 15_000

interface Thread {
  id: string
  /** Part of each of its messages, and of no other. */
  mark: string
}

/** Conversations of different lengths: some fit on the screen, others scroll. */
async function startThreads({ account_id, url, token }: Scene): Promise<Thread[]> {
  const threads: Thread[] = []
  for (let number = 1; number <= THREADS; number++) {
    const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name: `Customer ${number}` } })
    const customer_id: string = customer.data.id
    const { data } = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } }, token)
    const mark = `of thread ${number}.`
    for (let line = 1; line <= 1 + ((number * 7) % 23); line++) {
      const body = `Line ${line} ${mark} ${'More of it. '.repeat(line % 9)}`
      await call(url, 'POST', '/api/messages', { message: { conversation_id: data.id, customer_id, body } }, token)
    }
    threads.push({ id: data.id, mark })
  }
  return threads
}

/** Runs in the page. Whether a message of the thread is drawn where people see it: it opens at the first unread one. */
function isDrawn(mark: string): boolean {
  const log = document.querySelector('[role="log"]')
  const { top, bottom } = log?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
  return [...(log?.querySelectorAll('article') ?? [])].some((message) => {
    const box = message.getBoundingClientRect()
    return message.textContent?.includes(mark) && box.height > 0 && box.bottom > top && box.top < bottom
  })
}

async function isBlank(agent: Person, { mark }: Thread): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    if (await agent.tab.evaluate(isDrawn, [mark])) return false
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return true
}

const inWebkit = test.skipIf(!isInstalled('webkit'))

inWebkit('a conversation’s address shows its thread in fresh sessions of WebKit', { timeout }, async () => {
  const scene = await setScene()
  const engine = await startEngine('webkit')
  const blank: string[] = []
  try {
    const threads = await startThreads(scene)
    for (let session = 1; session <= SESSIONS; session++) {
      const agent = new Person(await engine.open())
      // Each session begins with another thread, because its first one is loaded together with everything else.
      for (let at = 0; at < THREADS; at++) {
        const thread = threads[(at + session) % THREADS]!
        await agent.goto(`${scene.url}/conversations/all/${thread.id}`)
        if (at === 0) {
          await agent.type({ css: 'input[type="email"]' }, ADA.email)
          await agent.type({ css: 'input[type="password"]' }, ADA.password)
          await agent.press('Enter')
        }
        if (await isBlank(agent, thread)) blank.push(`session ${session}: ${thread.mark}`)
      }
      await agent.tab.close()
    }
  } finally {
    await engine.close()
    await scene.close()
  }
  console.log(`${blank.length} of ${SESSIONS * THREADS} threads were blank.`)
  expect(blank).toEqual([])
})
