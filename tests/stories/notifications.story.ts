import type { Page } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import {
  call,
  expectNoFindings,
  openChat,
  openConversation,
  openDashboard,
  pauseClock,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

let scene: Scene
let sendMessage: (text: string) => Promise<void>

beforeAll(async () => {
  scene = await setScene()
  const { page } = await visitShop(scene)
  const chat = await openChat(page)
  sendMessage = chat.sendMessage
  await sendMessage('Is anybody there?')
  await expect(chat.log).toContainText('Sent')
})
afterAll(() => scene.close())

beforeEach(() => choose({ notify_about: ['all'], notification_sound: true }))

/** Another customer writes. */
async function writeElsewhere(body: string) {
  const { account_id, url, token } = scene
  const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name: 'Somebody' } })
  const customer_id: string = customer.data.id
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } }, token)
  await call(url, 'POST', '/api/messages', { message: { conversation_id: data.id, customer_id, body } }, token)
  return data.id as string
}

function markRead(id: string) {
  return call(scene.url, 'PUT', `/api/conversations/${id}`, { conversation: { read: true } }, scene.token)
}

function choose(user_settings: object) {
  return call(scene.url, 'PUT', '/api/user_settings', { user_settings }, scene.token)
}

/** Ada's dashboard with sounds and notifications recorded, and the window focused or not as the story says. */
async function openWatched(options: Watched) {
  const { page, faults } = await openDashboard(scene, { permissions: ['notifications'] })
  return { ...(await watchTab(page, options)), faults }
}

interface Watched {
  inFront: boolean
  /** The browser keeps this tab silent. */
  locked?: boolean
}

/** The same for one tab of a browser in which Ada is signed in. */
async function watchTab(page: Page, { inFront, locked = false }: Watched) {
  await page.addInitScript(watch, { inFront, locked })
  await page.goto(`${scene.url}/conversations/all`)
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  await expect(page.getByText('Live', { exact: true }).first()).toBeAttached()
  return {
    page,
    rung: () => page.evaluate(() => Reflect.get(window, 'rung') as Rung[]),
    shown: () => shownOn(page),
  }
}

interface Rung {
  src: string
  volume: number
}

function shownOn(page: Page) {
  return page.evaluate(() =>
    (Reflect.get(window, 'shown') as Notification[]).map(({ title, body }) => ({ title, body })),
  )
}

/** Runs in the page. A headless browser has neither a sound card nor notifications. */
function watch({ inFront, locked }: { inFront: boolean; locked: boolean }) {
  const rung: Rung[] = []
  const shown: Notification[] = []
  Object.assign(window, { rung, shown, badge: 0 })
  const setBadge = async (count = 0) => void Object.assign(window, { badge: count })
  Object.assign(navigator, { setAppBadge: setBadge, clearAppBadge: setBadge })
  document.hasFocus = () => inFront
  HTMLMediaElement.prototype.play = function play() {
    rung.push({ src: new URL(this.src).pathname, volume: this.volume })
    return locked ? Promise.reject(new DOMException('not yet', 'NotAllowedError')) : Promise.resolve()
  }
  class Noted {
    static permission = 'granted'
    onclick: (() => void) | null = null
    title: string
    body: string
    constructor(title: string, { body }: NotificationOptions = {}) {
      this.title = title
      this.body = body ?? ''
      shown.push(this as unknown as Notification)
    }
    close() {}
  }
  Object.assign(window, { Notification: Noted })
}

describe('a customer’s message', () => {
  test('rings quietly, at most once in ten seconds, and shows outside the browser with a link to it', async () => {
    const { page, rung, shown, faults } = await openWatched({ inFront: false })
    await sendMessage('My parcel is late.')
    await expect.poll(shown).toMatchObject([{ body: 'My parcel is late.' }])
    await sendMessage('Very late.')
    await expect.poll(shown).toMatchObject([{ body: 'My parcel is late.' }, { body: 'Very late.' }])
    expect(await rung()).toEqual([{ src: '/alert-v2.mp3', volume: expect.closeTo(0.2) }])
    await page.evaluate(() => (Reflect.get(window, 'shown') as Notification[])[0]!.onclick!(new Event('click')))
    await expect(page).toHaveURL(/\/inboxes\/[-\w]+\/conversations\/[-\w]+$/)
    await expect(page.getByRole('log')).toContainText('Very late.')
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('only rings while the window is in front, and is silent for the conversation on screen', async () => {
    const { page, rung, shown } = await openWatched({ inFront: true })
    await sendMessage('Hello again.')
    await expect.poll(rung).toHaveLength(1)
    await openConversation(page, 'Hello again.')
    await page.evaluate(() => localStorage.removeItem('parley.rang_at'))
    await sendMessage('Are you reading?')
    await expect(page.getByRole('log')).toContainText('Are you reading?')
    expect(await rung()).toHaveLength(1)
    expect(await shown()).toEqual([])
    await page.context().close()
  })

  test('does not alert somebody who only wants alerts of their own conversations', async () => {
    const { page, rung, shown } = await openWatched({ inFront: false })
    await page.getByRole('button', { name: 'You', exact: true }).click()
    for (const rule of ['Every message of a customer', 'Unassigned conversations']) {
      await page.getByLabel(rule).click()
      await expect(page.getByLabel(rule)).not.toBeChecked()
    }
    await page.keyboard.press('Escape')
    await sendMessage('Nobody has me yet.')
    await expect(page.getByRole('link').filter({ hasText: 'Nobody has me yet.' })).toBeVisible()
    const { data } = await call(scene.url, 'GET', '/api/me', undefined, scene.token)
    const list = await call(scene.url, 'GET', '/api/conversations', undefined, scene.token)
    const path = `/api/conversations/${list.data[0].id}`
    await call(scene.url, 'PUT', path, { conversation: { assignee_id: data.id } }, scene.token)
    await sendMessage('Now I am yours.')
    await expect.poll(shown).toMatchObject([{ body: 'Now I am yours.' }])
    expect(await rung()).toHaveLength(1)
    await page.context().close()
  })
})

describe('of several tabs of a browser', () => {
  test('one rings, and never one that the browser keeps silent', async () => {
    const silent = await openWatched({ inFront: false, locked: true })
    const other = await watchTab(await silent.page.context().newPage(), { inFront: false })
    for (const text of ['First of two.', 'Second of two.']) {
      await other.page.evaluate(() => localStorage.removeItem('parley.rang_at'))
      const before = (await other.rung()).length
      await sendMessage(text)
      await expect.poll(other.rung).toHaveLength(before + 1)
      await expect.poll(silent.shown).toContainEqual({ title: expect.any(String), body: text })
    }
    await expect(silent.page.getByText('The sound is off')).toBeHidden()
    await silent.page.context().close()
  })

  test('none rings for the conversation that is being read in another one', async () => {
    const reading = await openWatched({ inFront: true })
    await openConversation(reading.page, 'Second of two.')
    const other = await watchTab(await reading.page.context().newPage(), { inFront: false })
    await sendMessage('You are looking at me.')
    await expect(reading.page.getByRole('log')).toContainText('You are looking at me.')
    await expect(other.page.getByText('You are looking at me.')).toBeVisible()
    // By the time that a later message of somebody else is shown, the one before would have been, too.
    const elsewhere = await writeElsewhere('I am somebody else.')
    const isShown = async (text: string) => (await other.shown()).some(({ body }) => body === text)
    await expect.poll(() => isShown('I am somebody else.')).toBe(true)
    expect(await isShown('You are looking at me.')).toBe(false)
    // Once nobody reads it, its next message is news.
    await reading.page.close()
    await sendMessage('And now?')
    await expect.poll(() => isShown('And now?')).toBe(true)
    await markRead(elsewhere)
    await other.page.context().close()
  })
})

test('title and badge count what waits for me, also after it was read on another device', async () => {
  const { page } = await openWatched({ inFront: false })
  const badge = () => page.evaluate(() => Reflect.get(window, 'badge'))
  const counted = async () => {
    const { data } = await call(scene.url, 'GET', '/api/conversations/unread', undefined, scene.token)
    return data.conversations.assigned + data.conversations.unassigned
  }
  const id = await writeElsewhere('Count me.')
  const before = await counted()
  await expect(page).toHaveTitle(`(${before}) All conversations · Parley`)
  await expect.poll(badge).toBe(before)
  await markRead(id)
  await expect.poll(badge).toBe(before - 1)
  await expect(page).toHaveTitle(
    before > 1 ? `(${before - 1}) All conversations · Parley` : 'All conversations · Parley',
  )
  await page.context().close()
})

test('the sound is tested at the volume that is chosen, and rings at it', async () => {
  const { page, rung } = await openWatched({ inFront: false })
  await page.getByRole('button', { name: 'You', exact: true }).click()
  await page.getByText('Loud', { exact: true }).click()
  await expect.poll(rung).toEqual([{ src: '/alert-v2.mp3', volume: 1 }])
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect.poll(rung).toHaveLength(2)
  await page.keyboard.press('Escape')
  await sendMessage('Louder!')
  await expect.poll(rung).toEqual(Array(3).fill({ src: '/alert-v2.mp3', volume: 1 }))
  await page.context().close()
})

test('the title of a hidden tab alternates with the number of new messages', async () => {
  const { page } = await openDashboard(scene)
  await page.clock.install()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  await sendMessage('Do you see me?')
  await expect(page.getByRole('link').filter({ hasText: 'Do you see me?' })).toBeVisible()
  const before = await page.title()
  await pauseClock(page)
  await setHidden(page, true)
  await expect.poll(() => titleAfter(page, 2_000)).toBe('(1) New message!')
  expect(await titleAfter(page, 2_000)).toBe('Parley')
  expect(await titleAfter(page, 2_000)).toBe('(1) New message!')
  await setHidden(page, false)
  await expect(page).toHaveTitle(before)
})

/** The tab's title after its clock has moved on by this many milliseconds. */
async function titleAfter(page: Page, ms: number): Promise<string> {
  await page.clock.runFor(ms)
  return page.title()
}

/** A headless browser shows all its tabs. */
function setHidden(page: Page, isHidden: boolean) {
  return page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)
}

test('a browser that keeps the page silent says so until somebody touches the page', async () => {
  const { page, rung, faults } = await openWatched({ inFront: true, locked: true })
  await sendMessage('Ring, please.')
  await expect(page.getByText('The sound is off')).toBeVisible()
  expect(await rung()).toHaveLength(1)
  await page.getByRole('heading', { name: 'All conversations' }).click()
  await expect(page.getByText('The sound is off')).toBeHidden()
  expect(faults).toEqual([])
  await page.context().close()
})

describe('a customer who left with an address', () => {
  let database: pg.Client
  beforeAll(async () => {
    database = new pg.Client(scene.server.ready!.database)
    await database.connect()
  })
  afterAll(() => database.end())

  const callApi = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
  const mailsOf = async (email: string) =>
    (await callApi('GET', '/api/mails')).data.filter(({ recipient }: { recipient: string }) => recipient === email)

  async function waiting() {
    const { rowCount } = await database.query(
      `select from jobs.job where name = 'notifications.mailReply' and state < 'completed'`,
    )
    return rowCount
  }

  /** A reply that waits to be mailed. */
  async function answer(conversation_id: string, body: string) {
    await callApi('POST', '/api/messages', { message: { conversation_id, body } })
    await expect.poll(waiting).toBe(1)
  }

  /** Moves time on by twenty minutes, and waits until what was due is done. */
  async function letTimePass() {
    await database.query(`update jobs.job set start_after = now() where name = 'notifications.mailReply'`)
    await expect.poll(waiting).toBe(0)
  }

  test('unsubscribes by the link in a mail; a forged link changes nothing', async () => {
    const email = 'nia@customer.test'
    const { data: nia } = await callApi('POST', '/api/customers', {
      customer: { email, first_seen: '2026-11-01', last_seen_at: '2026-11-01T00:00:00Z' },
    })
    const { data: started } = await callApi('POST', '/api/conversations', { conversation: { customer_id: nia.id } })
    await answer(started.id, 'It is on its way.')
    await letTimePass()
    const [mail] = await mailsOf(email)
    const { text } = (await callApi('GET', `/api/mails/${mail.id}`)).data
    const link = /\/unsubscribe\?token=[\w-]+/.exec(text)![0]

    const { page } = await openPage(scene.browser)
    const leave = async (path: string) => {
      await page.goto(scene.url + path)
      await page.getByRole('button', { name: 'Unsubscribe' }).click()
    }
    await leave(`${link.slice(0, -8)}AAAAAAAA`)
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    await answer(started.id, 'It should be there.')
    for (let time = 1; time <= 2; time++) {
      await leave(link)
      await expect(page.getByRole('heading', { name: 'You are unsubscribed' })).toBeVisible()
    }
    await expectNoFindings(page)
    await letTimePass()
    expect(await mailsOf(email)).toHaveLength(1)
    await page.context().close()
  })
})
