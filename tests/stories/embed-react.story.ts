import { resolve } from 'node:path'
import { expect } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { openPage } from '#tests/support/browser.ts'
import { bundle } from '#tests/support/bundle.ts'
import { type EmbedSite, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { writeReact } from '../../dashboard/features/widget-settings/snippets.ts'
import { call, openChat, type Scene, setScene } from './scene.ts'

let scene: Scene
let site: EmbedSite

const REACT_PACKAGE = { '@parley/react': resolve(import.meta.dirname, '../../widget/react/index.ts') }

const APP = `
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ChatWidget, parley } from '@parley/react'

function App() {
  const [title, setTitle] = useState('Welcome!')
  const [isThere, setThere] = useState(true)
  const [sent, setSent] = useState('')
  return (
    <>
      <button onClick={() => setTitle('Another title')}>Rename</button>
      <button onClick={() => setThere(!isThere)}>Mount</button>
      <button onClick={() => parley('open')}>Talk to us</button>
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

beforeAll(async () => {
  scene = await setScene()
  const place = JSON.stringify({ token: scene.account_id, baseUrl: scene.url })
  site = await startEmbedSite(scene.url, {
    '/': writePage('/place.js', '/app.js'),
    '/place.js': `window.place=${place}`,
    '/app.js': await bundle(APP, REACT_PACKAGE),
    '/sample': writePage('/sample.js'),
    '/sample.js': await bundle(await writeSample(), REACT_PACKAGE),
  })
})
afterAll(async () => {
  await site.close()
  await scene.close()
})

test('in a React application, strict mode included, there is one chat that follows its properties', async () => {
  const { page, faults } = await openPage(scene.browser)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(site.url)
  const bubble = page.getByRole('button', { name: 'Open chat widget' })
  await expect(bubble).toHaveCount(1)
  expectValue(asked.filter((path) => path === '/api/widget_settings')).toHaveLength(1)
  await page.getByRole('button', { name: 'Talk to us' }).click()
  const { chat, say } = await openChat(page)
  await page.getByRole('button', { name: 'Rename' }).click()
  await expect(chat.getByRole('heading', { name: 'Another title' })).toBeVisible()
  await say('From React')
  await expect(page.getByRole('status')).toHaveText('Another title: From React')
  expectValue(faults).toEqual([])
})

/** What the install section shows, and the line with which an application begins. */
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
  const { say, log } = await openChat(page)
  await say('From the sample')
  await expect(log).toContainText('From the sample')
  expectValue(faults).toEqual([])
})

test('a component that goes and comes back hides the chat and shows it again', async () => {
  const { page } = await openPage(scene.browser)
  await page.goto(site.url)
  const bubble = page.getByRole('button', { name: 'Open chat widget' })
  await expect(bubble).toBeVisible()
  await page.getByRole('button', { name: 'Mount' }).click()
  await expect(bubble).toBeHidden()
  await page.getByRole('button', { name: 'Mount' }).click()
  await expect(bubble).toBeVisible()
})
