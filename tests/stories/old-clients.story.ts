import type { Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { bundle, REACT_17 } from '#tests/support/bundle.ts'
import { type EmbedSite, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { call, type Scene, setScene } from './scene.ts'

// The published packages as websites use them today, changed only in the addresses they are given.

let scene: Scene
let site: EmbedSite

const WIDGET = `
import React from 'react'
import { render } from 'react-dom'
import { ChatWidget, Papercups } from '@papercups-io/chat-widget'
window.calls = []
const note = (name) => (payload) => void window.calls.push([name, payload && payload.body])
window.Papercups = { ...window.Papercups, ...Papercups }
render(
  React.createElement(ChatWidget, {
    ...window.options,
    onChatLoaded: note('loaded'), onChatOpened: note('opened'), onChatClosed: note('closed'),
    onMessageSent: note('sent'), onMessageReceived: note('received'),
  }),
  document.getElementById('app'),
)`

const HEADLESS = `
import { Papercups } from '@papercups-io/browser'
window.calls = []
window.start = (options) => {
  const papercups = Papercups.init({
    ...window.options, ...options,
    onMessageCreated: (message) => void window.calls.push(message.body),
    onConversationCreated: () => void window.calls.push('conversation created'),
    onMessagesUpdated: (messages) => { window.messages = messages.map(({ body }) => body) },
  })
  window.papercups = papercups
  return papercups.start().then(() => papercups.customerId)
}`

beforeAll(async () => {
  scene = await setScene()
  const installation = { token: scene.account_id, accountId: scene.account_id, baseUrl: scene.url }
  const options = (more: object) =>
    `window.options=${JSON.stringify({ ...installation, iframeUrlOverride: `${scene.url}/chat`, ...more })}`
  site = await startEmbedSite(
    scene.url,
    {
      '/': writePage('/options.js', '/widget.js'),
      '/known': writePage('/known.js', '/widget.js'),
      '/headless': writePage('/options.js', '/headless.js'),
      '/options.js': options({ title: 'Old but loyal', greeting: 'Hello from before' }),
      '/known.js': options({ customer: { external_id: 'old-7', name: 'Olga Old', email: 'old@customer.test' } }),
      '/widget.js': await bundle(WIDGET, REACT_17),
      '/headless.js': await bundle(HEADLESS),
    },
    { style: "'unsafe-inline'" },
  )
})
afterAll(async () => {
  await site.close()
  await scene.close()
})

const visit = async (path: string) => {
  const watched = await openPage(scene.browser)
  await watched.page.goto(site.url + path)
  return watched
}
const readCalls = (page: Page): Promise<unknown[]> => page.evaluate(() => Reflect.get(window, 'calls'))

async function openOld(page: Page) {
  await page.getByRole('button', { name: 'Open chat widget' }).click()
  const chat = page.frameLocator('iframe')
  const write = chat.getByPlaceholder('Start typing...')
  await expect(write).toBeVisible()
  return {
    chat,
    log: chat.getByRole('log'),
    async sendMessage(text: string) {
      await write.fill(text)
      await write.press('Enter')
    },
  }
}

const findConversation = async (text: string) => {
  const { data } = await call(scene.url, 'GET', '/api/conversations?status=open', undefined, scene.token)
  return data.find(({ messages }: { messages: { body: string }[] }) => messages.some(({ body }) => body === text))
}
const answer = (conversation_id: string, body: string) =>
  call(scene.url, 'POST', '/api/messages', { message: { conversation_id, body } }, scene.token)

test('a visitor of the published widget writes, is answered, and finds both after a reload', async () => {
  const { page } = await visit('/')
  const { chat, log, sendMessage } = await openOld(page)
  await expect(chat.getByText('Old but loyal')).toBeVisible()
  await expect(log).toContainText('Hello from before')
  await sendMessage('Written in the old widget')
  await expect.poll(() => readCalls(page)).toContainEqual(['sent', 'Written in the old widget'])
  const { id } = await findConversation('Written in the old widget')
  await answer(id, 'Answered in the new house')
  await expect(log).toContainText('Answered in the new house')
  await expect.poll(() => readCalls(page)).toContainEqual(['received', 'Answered in the new house'])
  await page.reload()
  const again = await openOld(page)
  await expect(again.log).toContainText('Written in the old widget')
  await expect(again.log).toContainText('Answered in the new house')
})

test('the published widget receives the events of loading, opening, sending and closing in that order', async () => {
  const { page } = await visit('/')
  const { chat, sendMessage } = await openOld(page)
  await sendMessage('In order')
  await expect.poll(async () => (await readCalls(page)).length).toBe(3)
  await page.evaluate(() => dispatchEvent(new Event('papercups:close')))
  await expect(chat.getByRole('log')).toBeHidden()
  const order = async () => (await readCalls(page)).map((entry) => (entry as string[])[0])
  expectValue(await order()).toEqual(['loaded', 'opened', 'sent', 'closed'])
  // This page takes any order to close for one to open when the chat is closed, and the focus may still be in the chat.
  await openOld(page)
  await chat.getByPlaceholder('Start typing...').press('Escape')
  await expect(chat.getByRole('log')).toBeHidden()
  await page.keyboard.press('Escape')
  await openOld(page)
  expectValue((await order()).slice(4)).toEqual(['opened', 'closed', 'opened'])
})

test('the published widget says who its visitor is', async () => {
  const { page } = await visit('/known')
  const { sendMessage } = await openOld(page)
  await sendMessage('You know me')
  await expect.poll(() => readCalls(page)).toContainEqual(['sent', 'You know me'])
  const { customer_id } = await findConversation('You know me')
  const customer = () => call(scene.url, 'GET', `/api/customers/${customer_id}`, undefined, scene.token)
  await expect
    .poll(async () => (await customer()).data)
    .toMatchObject({
      name: 'Olga Old',
      email: 'old@customer.test',
      external_id: 'old-7',
    })
})

test('a visitor of the published headless library writes, is answered, and is recognized later', async () => {
  const { page } = await visit('/headless')
  const start = (more: object = {}) => page.evaluate((options) => Reflect.get(window, 'start')(options), more)
  const sendMessage = (body: string) =>
    page.evaluate((text) => Reflect.get(window, 'papercups').sendNewMessage({ body: text }), body)
  await start({ customer: { external_id: 'headless-1', name: 'Hella' } })
  await sendMessage('Without a window')
  await expect.poll(() => readCalls(page)).toContain('Without a window')
  const { id, customer_id } = await findConversation('Without a window')
  await answer(id, 'Heard without a window')
  await expect.poll(() => readCalls(page)).toContain('Heard without a window')
  await page.reload()
  expectValue(await start({ customer: { external_id: 'headless-1', name: 'Hella' } })).toBe(customer_id)
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'messages'))).toContain('Heard without a window')
})
