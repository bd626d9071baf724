import { resolve } from 'node:path'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { bundle } from '#tests/support/bundle.ts'
import { type EmbedSite, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { writeReact } from '../../dashboard/features/widget/widget-settings/snippets.ts'
import { call, openChat, type Scene, setScene } from './scene.ts'

let scene: Scene
let site: EmbedSite

const REACT_PACKAGE = { '@parley/react': resolve(import.meta.dirname, '../../widget/react/index.ts') }

const APP = `
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ChatWidget, identify, parley } from '@parley/react'

function App() {
  const [title, setTitle] = useState('Welcome!')
  const [isThere, setThere] = useState(true)
  const [sent, setSent] = useState('')
  return (
    <>
      <button onClick={() => setTitle('Another title')}>Rename</button>
      <button onClick={() => setThere(!isThere)}>Mount</button>
      <button onClick={() => parley('open')}>Talk to us</button>
      <button onClick={() => identify({ external_id: 'react-1', name: 'Rhea Married' })}>Introduce</button>
      <output>{sent}</output>
      {isThere && (
        <ChatWidget
          token={window.place.token}
          baseUrl={window.place.baseUrl}
          title={title}
          customer={{ external_id: 'react-1', name: 'Rhea' }}
          onMessageSent={({ body }) => setSent(title + ': ' + body)}
        />
      )}
    </>
  )
}
createRoot(document.getElementById('app')).render(<StrictMode><App /></StrictMode>)`

const INLINE = `
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ChatWidget, ChatWindow, Papercups } from '@parley/react'

function App() {
  const [greeting, setGreeting] = useState('Good to see you')
  const [calls, setCalls] = useState([])
  const record = (name) => (message) => setCalls((before) => [...before, message?.body ? name + ' ' + message.body : name])
  return (
    <>
      <button onClick={() => setGreeting('Still there?')}>Greet</button>
      <output>{calls.join(', ')}</output>
      <div id="place" style={{ width: 400, height: 500 }}>
        <ChatWindow
          {...window.place}
          greeting={greeting}
          primaryColor="rebeccapurple"
          setDefaultTitle={async ({ account }) => 'Ask ' + account.company_name}
          onChatLoaded={record('loaded')}
          onChatOpened={record('opened')}
          onMessageSent={record('sent')}
          onMessageReceived={record('received')}
        />
      </div>
    </>
  )
}
function Shop() {
  return (
    <>
      <button onClick={Papercups.open}>Talk to us</button>
      <ChatWidget
        {...window.place}
        setDefaultTitle={({ account }) => account.company_name + ' listens'}
        setDefaultSubtitle={() => Promise.reject(new Error('no words'))}
        renderToggleButton={({ isOpen, isDisabled, onToggleOpen }) => (
          <button disabled={isDisabled} onClick={onToggleOpen}>{isOpen ? 'Enough' : 'Help'}</button>
        )}
      />
    </>
  )
}
createRoot(document.getElementById('app')).render(location.pathname === '/inline' ? <App /> : <Shop />)`

beforeAll(async () => {
  scene = await setScene()
  const settings = JSON.stringify({ token: scene.account_id, baseUrl: scene.url })
  site = await startEmbedSite(scene.url, {
    '/': writePage('/place.js', '/app.js'),
    '/place.js': `window.place=${settings}`,
    '/app.js': await bundle(APP, REACT_PACKAGE),
    '/inline': writePage('/place.js', '/inline.js'),
    '/button': writePage('/place.js', '/inline.js'),
    '/inline.js': await bundle(INLINE, REACT_PACKAGE),
    '/sample': writePage('/sample.js'),
    '/sample.js': await bundle(await writeSample(), REACT_PACKAGE),
  })
})
afterAll(async () => {
  await site.close()
  await scene.close()
})

test('in a React application, also in strict mode, there is one chat that follows its properties', async () => {
  const { page, faults } = await openPage(scene.browser)
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await page.goto(site.url)
  const bubble = page.getByRole('button', { name: 'Open chat widget' })
  await expect(bubble).toHaveCount(1)
  expectValue(
    requests.filter((path) => path.startsWith('/api/')),
    'the script brought the settings',
  ).toEqual([])
  await page.getByRole('button', { name: 'Talk to us' }).click()
  const { chat, sendMessage } = await openChat(page)
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(chat.getByRole('heading', { name: 'Another title' })).toBeVisible()
  await sendMessage('From React')
  await expect(page.getByRole('status')).toHaveText('Another title: From React')
  await page.getByRole('button', { name: 'Introduce' }).click()
  await expect.poll(() => nameOf('From React')).toBe('Rhea Married')
  expectValue(faults).toEqual([])
})

/** The name of the customer who wrote a text. */
async function nameOf(text: string): Promise<string> {
  const { data } = await call(scene.url, 'GET', `/api/conversations?q=${text}`, undefined, scene.token)
  return data[0].customer.name
}

/** Writes an application from the sample of the installation page, with the lines that start it. */
async function writeSample(): Promise<string> {
  const { data } = await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)
  const sample = writeReact({ account_id: scene.account_id, inbox_id: data.id, base: scene.url, language: 'en' })
  return `import { createRoot } from 'react-dom/client'
${sample}
createRoot(document.getElementById('app')).render(<App />)`
}

test('the sample of the install section runs as it is shown', async () => {
  const { page, faults } = await openPage(scene.browser)
  await page.goto(`${site.url}/sample`)
  const { sendMessage, log } = await openChat(page)
  await sendMessage('From the sample')
  await expect(log).toContainText('From the sample')
  expectValue(faults).toEqual([])
})

test('unmounting a component hides the chat, and mounting it again shows it', async () => {
  const { page } = await openPage(scene.browser)
  await page.goto(site.url)
  const bubble = page.getByRole('button', { name: 'Open chat widget' })
  await expect(bubble).toBeVisible()
  await page.getByRole('button', { name: 'Mount' }).click()
  await expect(bubble).toBeHidden()
  await page.getByRole('button', { name: 'Mount' }).click()
  await expect(bubble).toBeVisible()
})

test('a ChatWindow fills its parent element, is always open, and follows its properties', async () => {
  const { page, faults } = await openPage(scene.browser)
  await page.goto(`${site.url}/inline`)
  const chat = page.frameLocator('iframe')
  await expect(chat.getByRole('heading', { name: 'Ask Acme' })).toBeVisible()
  await expect(chat.getByText('Good to see you')).toBeVisible()
  await expect(chat.locator('header')).toHaveCSS('background-color', 'rgb(102, 51, 153)')
  await expect(chat.getByRole('button', { name: 'Close chat' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Open chat widget' })).toHaveCount(0)
  expectValue(await page.locator('iframe').boundingBox()).toEqual(await page.locator('#place').boundingBox())
  const write = chat.getByPlaceholder('Start typing...')
  await write.fill('From the page itself')
  await write.press('Escape')
  await write.press('Enter')
  await expect(page.getByRole('status')).toContainText('sent From the page itself')
  await page.getByRole('button', { name: 'Greet' }).click()
  await expect(chat.getByText('Still there?')).toBeVisible()
  const { data } = await call(scene.url, 'GET', '/api/conversations?q=itself', undefined, scene.token)
  const message = { conversation_id: data[0].id, body: 'Into the page' }
  await call(scene.url, 'POST', '/api/messages', { message }, scene.token)
  await expect(page.getByRole('status')).toHaveText('opened, loaded, sent From the page itself, received Into the page')
  expectValue(faults).toEqual([])
})

test('the application’s own button opens and closes the chat, and texts can be derived from the saved ones', async () => {
  const { page } = await openPage(scene.browser)
  await page.goto(`${site.url}/button`)
  await page.getByRole('button', { name: 'Help' }).click()
  const chat = page.frameLocator('iframe')
  await expect(chat.getByRole('heading', { name: 'Acme listens' })).toBeVisible()
  await expect(chat.getByText('Ask us anything'), 'of a maker that breaks the saved text stays').toBeVisible()
  await expect(page.getByRole('button', { name: 'Close chat widget' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Enough' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Talk to us' }).click()
  await expect(page.getByRole('button', { name: 'Enough' })).toBeVisible()
})
