import type { Frame, Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, findConversation, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

/** With a bracket, a digit and a sign at its end: what is drawn on the wrong side where a name is not kept together. */
const CUSTOMER = 'ליאת (חנות) 2!'
/** The same with an override that nothing ends, which would turn around everything behind it. */
const SENT = 'ליאת \u202e(חנות) 2!'
const AGENT = 'עדה (צוות) 7!'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

/**
 * Places where a name is not drawn as it is when it stands alone: letters in another order, or other letters between
 * them. Looks at every text of the page that contains it in one line.
 */
function misdrawn(page: Page | Frame, name: string): Promise<{ seen: number; wrong: string[] }> {
  return page.evaluate((wanted) => {
    const lefts = (node: Text, from: number) =>
      [...wanted].map((_, at) => {
        const range = document.createRange()
        range.setStart(node, from + at)
        range.setEnd(node, from + at + 1)
        return range.getBoundingClientRect()
      })
    const orderOf = (boxes: DOMRect[]) =>
      boxes
        .map(({ left, width }, at) => ({ at, middle: left + width / 2, width }))
        .filter(({ width }) => width > 0)
        .sort((a, b) => a.middle - b.middle)
        .map(({ at }) => at)
        .join()
    const expectedIn = (parent: Element) => {
      const alone = document.createElement('bdi')
      alone.style.cssText = 'position: fixed; top: 0; white-space: pre'
      alone.textContent = wanted
      parent.append(alone)
      const order = orderOf(lefts(alone.firstChild as Text, 0))
      alone.remove()
      return order
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const nodes: Text[] = []
    while (walker.nextNode()) nodes.push(walker.currentNode as Text)
    let seen = 0
    const wrong: string[] = []
    for (const node of nodes) {
      const text = node.data
      const from = text.indexOf(wanted)
      const parent = node.parentElement
      // What only screen readers read is not drawn.
      if (from < 0 || !parent || parent.closest('script, style, title, .unseen')) continue
      const boxes = lefts(node, from)
      const shown = boxes.filter(({ width }) => width > 0)
      const isOneLine = shown.every(({ top }) => Math.abs(top - shown[0]!.top) < 4)
      if (shown.length < wanted.length - 3 || !isOneLine) continue
      seen += 1
      const [left, right] = [Math.min(...shown.map((box) => box.left)), Math.max(...shown.map((box) => box.right))]
      const isMixed = [...text].some((_, at) => {
        if (at >= from && at < from + wanted.length) return false
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + 1)
        const box = range.getBoundingClientRect()
        const middle = box.left + box.width / 2
        return box.width > 0 && Math.abs(box.top - shown[0]!.top) < 4 && middle > left && middle < right
      })
      const isTurned = orderOf(boxes) !== expectedIn(parent)
      if (isMixed || isTurned) wrong.push(`${parent.tagName}.${parent.className}: ${text}`)
    }
    return { seen, wrong }
  }, name)
}

async function expectDrawn(page: Page | Frame, name: string, times: number) {
  await expect.poll(async () => (await misdrawn(page, name)).seen, page.url()).toBeGreaterThanOrEqual(times)
  expect((await misdrawn(page, name)).wrong, page.url()).toEqual([])
}

test('a name of the other writing direction is drawn the same on every screen, alone and inside sentences', async () => {
  await send('PUT', '/api/profile', { user_profile: { display_name: AGENT } })
  const { data: customer } = await send('POST', '/api/customers', {
    customer: { account_id: scene.account_id, name: SENT },
  })
  expect(customer.name).toBe(CUSTOMER)
  const { data: conversation } = await send('POST', '/api/conversations', {
    conversation: { customer_id: customer.id },
  })
  const say = (message: object) =>
    send('POST', '/api/messages', { message: { conversation_id: conversation.id, ...message } })
  await say({ customer_id: customer.id, body: 'Is the lamp (3) fine?' })
  await say({ body: 'Lamp is fine (1)' })
  await say({ customer_id: customer.id, body: 'Lamp is back' })
  await send('POST', '/api/notes', { note: { customer_id: customer.id, body: 'Likes lamps' } })
  const { page, faults } = await openSignedIn(scene, `/conversations/all/${conversation.id}`)
  await expect(page.getByRole('log').getByText('Lamp is back')).toBeVisible()
  // In the list, in the heading, above the messages, and beside the thread.
  await expectDrawn(page, CUSTOMER, 4)
  for (const path of ['/customers', `/customers/${customer.id}`, '/notes']) {
    await page.goto(scene.url + path)
    await expectDrawn(page, CUSTOMER, 1)
  }
  await page.goto(`${scene.url}/settings/team`)
  await expectDrawn(page, AGENT, 1)
  expect(faults).toEqual([])
})

test('a colleague’s name of the other writing direction is drawn in one piece in list and chat', async () => {
  await send('PUT', '/api/profile', { user_profile: { display_name: AGENT } })
  const shop = await writeInShop(scene, 'Who is there?')
  const { id } = await findConversation(scene, 'Who')
  await send('POST', '/api/messages', { message: { conversation_id: id, body: 'It is me (1)' } })
  const chat = shop.frames().find((frame) => frame !== shop.mainFrame())!
  await expect(shop.frameLocator('iframe').getByText('It is me (1)')).toBeVisible()
  await expectDrawn(chat, AGENT, 1)
})
