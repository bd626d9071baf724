import type { Page, Request } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { bundle } from '#tests/support/bundle.ts'
import { type EmbedSite, startEmbedSite, writePage } from '#tests/support/embed-site.ts'
import { type JoinedTopic, TestSocket } from '#tests/support/sockets.ts'
import { call, type Scene, setScene } from './scene.ts'

const TIMEOUT = { timeout: 20_000 }
/** Typed into every kind of field; none of it may leave the page. */
const SECRETS = [
  'quince-marmalade',
  'hunter2-hunter2',
  '4111 1111 1111 1111',
  '5500005555555559',
  'blocked-words',
  'Zq9!x',
]

const FIELDS = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Checkout</title><link rel="icon" href="data:,"></head><body>
<h1>Checkout</h1>
<form>
  ${['text', 'email', 'search', 'tel', 'url'].map((type) => `<input type="${type}" aria-label="${type}" class="plain">`).join('\n')}
  <textarea aria-label="story" class="plain"></textarea>
  <p contenteditable="true" class="plain">x</p>
  <input id="told" placeholder="told-by-placeholder" title="told-by-title" alt="told-by-alt" aria-label="told-by-label">
  <select aria-label="told-by-label">
    <optgroup label="told-by-group"><option value="told-by-value">told-by-option</option></optgroup>
  </select>
  <button type="submit" title="shown-on-button">Pay</button>
  <input type="hidden" name="csrf" value="quince-marmalade-token">
  <section data-parley-unmask>
    <input aria-label="city" id="city" placeholder="shown-in-placeholder">
    <input type="password" aria-label="password" id="password">
    <input autocomplete="cc-number" id="card">
    <input autocomplete="cc-csc" id="short">
    <input name="card_number" id="named-card">
    <input id="free">
  </section>
  <p id="echo"></p>
  <div data-parley-block id="blocked">blocked-words</div>
</form>
<script src="/echo.js"></script><script src="STORYTIME"></script></body></html>`

/** The same in frames: of the same origin, with words of its own, nested, and hidden by the outer page. */
const FRAMES = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Frames</title><link rel="icon" href="data:,"></head><body>
<iframe id="fields" src="/fields-in-a-frame"></iframe><p id="echo"></p>
<section data-parley-mask><iframe id="masked" srcdoc="<p>masked-in-a-frame</p>"></iframe></section>
<iframe id="blocked" data-parley-block srcdoc="<p>blocked-in-a-frame</p><iframe srcdoc='blocked-further-within'></iframe>"></iframe>
<iframe id="editor" srcdoc="<p>edited-in-a-frame</p>"></iframe>
<script src="/frames.js"></script><script src="STORYTIME"></script></body></html>`

let scene: Scene
let site: EmbedSite

beforeAll(async () => {
  scene = await setScene()
  const storytime = `${scene.url}/storytime.js`
  const withConfig = (more: string) =>
    `window.Papercups={config:{accountId:${JSON.stringify(scene.account_id)},publicKey:'any',${more}}}`
  site = await startEmbedSite(
    scene.url,
    {
      '/': writePage(`${storytime}?account=${scene.account_id}`),
      '/fields': FIELDS.replace('STORYTIME', `${storytime}?account=${scene.account_id}`),
      // A page that shows a typed password in plain text.
      '/echo.js': `document.getElementById('password').oninput=(e)=>{document.getElementById('echo').textContent='You typed '+e.target.value}`,
      '/fields-in-a-frame': FIELDS.replace('<script src="STORYTIME"></script>', '').replace(
        '/echo.js',
        '/echo-outside.js',
      ),
      '/frames': FRAMES.replace('STORYTIME', `${storytime}?account=${scene.account_id}`),
      '/frames.js': `const editor = document.getElementById('editor')
        editor.onload = () => { editor.contentDocument.designMode = 'on' }
        // The frame may have loaded before this script.
        editor.onload()`,
      '/echo-outside.js': `document.getElementById('password').oninput=(e)=>{parent.document.getElementById('echo').textContent='You typed '+e.target.value}`,
      '/consent': writePage('/consent.js', storytime),
      '/consent.js': withConfig('consent:()=>window.agreed'),
      '/list': writePage('/list.js', `${scene.url}/storytime-v0.js`),
      '/list.js': withConfig(`blocklist:['/list/private'],customer:{external_id:'42',name:'Listed Lena'}`),
      '/old': writePage('/options.js', '/old.js'),
      '/options.js': `window.options=${JSON.stringify({ accountId: scene.account_id, baseUrl: scene.url, publicKey: 'any' })}`,
      '/old.js': await bundle(`import { Storytime } from '@papercups-io/storytime'; Storytime.init(window.options)`),
    },
    { frames: "'self'" },
  )
})
afterAll(async () => {
  await site.close()
  await scene.close()
})

interface Visit {
  page: Page
  faults: string[]
  /** Everything the page sent over a socket, as text. */
  sent: string[]
  requests: string[]
}

async function visit(path: string, options: Parameters<typeof openPage>[1] = {}): Promise<Visit> {
  const { page, faults } = await openPage(scene.browser, options)
  const visited = { page, faults, sent: [] as string[], requests: [] as string[] }
  listen(visited)
  await page.goto(site.url + path)
  return visited
}

function listen({ page, sent, requests }: Visit) {
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  page.on('request', (request: Request) => requests.push(new URL(request.url()).pathname))
}

type Session = { id: string; metadata: Record<string, unknown>; customer: { id: string; name: string } | null }
const listSessions = async (): Promise<Session[]> =>
  (await call(scene.url, 'GET', '/api/browser_sessions?active=true', undefined, scene.token)).data
const newest = async (): Promise<Session> => (await listSessions())[0]!

/** The session of the latest page, once its recorder is connected. */
async function sessionOf({ sent }: Visit): Promise<Session> {
  // The page before may still send while it is left, and then no session is active for a moment.
  const joined = () => /events:[^:"]+:([0-9a-f-]{36})/.exec(sent.find((frame) => frame.includes('phx_join')) ?? '')?.[1]
  await expect.poll(joined, TIMEOUT).toBeTruthy()
  const find = async () => (await listSessions()).find(({ id }) => id === joined())
  await expect.poll(find, TIMEOUT).toBeTruthy()
  return (await find())!
}

type EventsPayload = { events: { type: number; data: { tag?: string; payload?: unknown; source?: number } }[] }
const eventsOf = ({ received }: JoinedTopic) =>
  received.filter(({ event }) => event === 'replay:events').flatMap(({ payload }) => (payload as EventsPayload).events)

async function watch({ id }: Session) {
  const socket = new TestSocket(scene.url, { token: scene.token })
  const topic = await socket.join(`events:admin:${scene.account_id}:${id}`, { takes_batches: true })
  const countOf = (type: number) => eventsOf(topic).filter((event) => event.type === type).length
  return { socket, topic, countOf }
}

test('nothing that a visitor types leaves the page, in any kind of field, unless the website unmasks it', async () => {
  const visited = await visit('/fields')
  const { page, faults, sent } = visited
  const { socket, topic, countOf } = await watch(await sessionOf(visited))
  await expect.poll(() => countOf(2), TIMEOUT).toBe(1)
  for (const field of await page.locator('.plain').all()) {
    await field.click()
    await page.keyboard.type('quince-marmalade')
  }
  await page.fill('#city', 'Kyoto by the river')
  await page.fill('#password', 'hunter2-hunter2')
  await page.fill('#card', '4111 1111 1111 1111')
  await page.fill('#short', 'Zq9!x')
  await page.fill('#named-card', '5500005555555559')
  await page.fill('#free', 'My card is 4111 1111 1111 1111, thanks')
  await page.evaluate(() => document.querySelector('#blocked')!.append(' and blocked-words again'))
  await page.evaluate(() => {
    document.querySelector('#told')!.setAttribute('placeholder', 'told-later')
    document.querySelector('select')!.append(new Option('told-added', 'told-added-value'))
  })
  // A later watcher gets a full snapshot of the page.
  const second = await watch(await newest())
  await expect.poll(() => second.countOf(2), TIMEOUT).toBe(1)
  await expect.poll(() => JSON.stringify(eventsOf(topic)), TIMEOUT).toContain('Kyoto by the river')
  const transmitted = sent.join('\n') + socket.frames.join('\n') + second.socket.frames.join('\n')
  for (const secret of SECRETS) expectValue(transmitted).not.toContain(secret)
  expectValue(transmitted, 'what describes a masked field').not.toContain('told-')
  for (const shown of ['shown-on-button', 'shown-in-placeholder']) expectValue(transmitted).toContain(shown)
  expectValue(transmitted).toContain('You typed ••••••••')
  expectValue(transmitted).toContain('"••••••••••••••••"')
  // A password's length must not be sent; that of a name is kept.
  expectValue(transmitted).toContain('My card is •••• •••• •••• ••••, thanks')
  expectValue(faults).toEqual([])
  socket.close()
  second.socket.close()
})

test('nothing that a visitor types in a frame leaves the page, nor what is blocked or masked around it', async () => {
  const visited = await visit('/frames')
  const { page, faults, sent } = visited
  const { socket, topic, countOf } = await watch(await sessionOf(visited))
  await expect.poll(() => countOf(2), TIMEOUT).toBe(1)
  const attached = () => JSON.stringify(eventsOf(topic)).match(/"isAttachIframe":true/g)?.length
  await expect.poll(attached, TIMEOUT).toBe(3)
  const frame = page.frameLocator('#fields')
  for (const field of await frame.locator('.plain').all()) {
    await field.click()
    await page.keyboard.type('quince-marmalade')
  }
  await frame.locator('#city').fill('Kyoto by the river')
  await frame.locator('#password').fill('hunter2-hunter2')
  await frame.locator('#card').fill('4111 1111 1111 1111')
  await frame.locator('#short').fill('Zq9!x')
  await frame.locator('#named-card').fill('5500005555555559')
  const append = (id: string, content: string) =>
    page
      .frameLocator(id)
      .locator('body')
      .evaluate((body, text) => body.append(text), content)
  await append('#masked', 'masked-later')
  await append('#editor', 'edited-later')
  // In the same moment as its frame is removed and can no longer be queried.
  await append('#blocked', 'blocked-later')
  await page.locator('#blocked').evaluate((blocked: HTMLIFrameElement) => {
    blocked.contentDocument!.body.append('blocked-at-last')
    blocked.remove()
  })
  const second = await watch(await newest())
  await expect.poll(() => second.countOf(2), TIMEOUT).toBe(1)
  for (const watchedTopic of [topic, second.topic])
    await expect.poll(() => JSON.stringify(eventsOf(watchedTopic)), TIMEOUT).toContain('Kyoto by the river')
  await expect.poll(() => JSON.stringify(eventsOf(second.topic)), TIMEOUT).toContain('•'.repeat('edited-later'.length))
  const transmitted = sent.join('\n') + socket.frames.join('\n') + second.socket.frames.join('\n')
  for (const secret of [...SECRETS, 'masked-', 'blocked-', 'edited-']) expectValue(transmitted).not.toContain(secret)
  expectValue(transmitted).toContain('You typed ••••••••')
  expectValue(faults).toEqual([])
  socket.close()
  second.socket.close()
})

test('events in a frame are sent once, however many people watch', async () => {
  const visited = await visit('/frames')
  const { page, sent } = visited
  const session = await sessionOf(visited)
  for (let watchers = 0; watchers < 3; watchers++) {
    const { topic, countOf } = await watch(session)
    await expect.poll(() => countOf(2), TIMEOUT).toBeGreaterThan(0)
    await expect.poll(() => JSON.stringify(eventsOf(topic)), TIMEOUT).toContain('city')
  }
  sent.length = 0
  await page.frameLocator('#fields').getByRole('heading').click()
  await page.evaluate(() => document.body.append('the end'))
  await expect.poll(() => sent.join(), TIMEOUT).toContain('the end')
  const clicks = sent.join().match(/"source":2,"type":2,/g)
  expectValue(clicks?.length).toBe(1)
})

test('while nobody watches nothing is recorded or loaded, and recording ends when the last of three watchers leaves', async () => {
  const visited = await visit('/')
  const { page, sent, requests } = visited
  const session = await sessionOf(visited)
  await page.mouse.move(100, 100)
  expectValue(requests).not.toContain('/storytime-recorder.js')
  await expect(page.getByText('Our support team can see this page now.')).toHaveCount(0)
  const watchers = [await watch(session), await watch(session), await watch(session)]
  for (const { countOf } of watchers) await expect.poll(() => countOf(2), TIMEOUT).toBeGreaterThan(0)
  await expect(page.getByRole('status')).toContainText('Our support team can see this page now.')
  for (const { socket } of watchers) socket.close()
  await expect(page.getByRole('status')).toHaveCount(0)
  const before = sent.filter((frame) => frame.includes('replay:')).length
  for (let step = 0; step < 10; step++) await page.mouse.move(step * 20, 200)
  await page.evaluate(() => document.body.append('something happens'))
  await page.waitForTimeout(600)
  expectValue(sent.filter((frame) => frame.includes('replay:')).length).toBe(before)
})

test('a reloaded page continues its session; a duplicated tab gets a new one', async () => {
  const visited = await visit('/')
  const { page, sent } = visited
  const session = await sessionOf(visited)
  const { topic, countOf } = await watch(session)
  await expect.poll(() => countOf(2), TIMEOUT).toBe(1)
  sent.length = 0
  await page.goto(`${site.url}/another`)
  expectValue((await sessionOf(visited)).id).toBe(session.id)
  // The watcher sees the new page.
  await expect.poll(() => JSON.stringify(eventsOf(topic)), TIMEOUT).toContain('/another')
  await expect.poll(() => countOf(2), TIMEOUT).toBe(2)
  const [copy] = await Promise.all([
    page.context().waitForEvent('page'),
    page.evaluate(() => void window.open('/copy', '_blank')),
  ])
  await copy.waitForLoadState()
  await expect.poll(async () => (await newest()).metadata.pathname, TIMEOUT).toBe('/copy')
  expectValue((await newest()).id).not.toBe(session.id)
})

test('after a lost connection a new snapshot of the page is sent', async () => {
  const visited = await visit('/')
  const { page } = visited
  const session = await sessionOf(visited)
  const { topic, socket, countOf } = await watch(session)
  await expect.poll(() => countOf(2), TIMEOUT).toBe(1)
  await page.context().setOffline(true)
  await page.evaluate(() => document.body.append('meanwhile'))
  await page.waitForTimeout(200)
  await page.context().setOffline(false)
  await scene.server.stop()
  await scene.server.start()
  // The watcher continues to watch; both sides have reconnected by themselves.
  await expect.poll(() => countOf(2), { timeout: 40_000 }).toBeGreaterThan(1)
  expectValue(JSON.stringify(eventsOf(topic).findLast(({ type }) => type === 2))).toContain('meanwhile')
  socket.close()
})

test('visitors can refuse to be watched: by their browser, by not agreeing, by the button in the notice', async () => {
  const count = (await listSessions()).length
  const { page: objecting } = await openPage(scene.browser)
  await objecting.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
  await objecting.goto(site.url)
  const { page, sent } = await visit('/consent')
  await page.waitForTimeout(300)
  expectValue((await listSessions()).length).toBe(count)
  await page.evaluate(() => {
    Reflect.set(window, 'agreed', true)
    void (Reflect.get(window, 'Storytime') as { start(): Promise<void> }).start()
  })
  await expect.poll(() => sent.join(), TIMEOUT).toContain('session:active')
  const { countOf, socket } = await watch(await newest())
  await expect.poll(() => countOf(2), TIMEOUT).toBe(1)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.poll(async () => (await listSessions()).length, TIMEOUT).toBe(count)
  sent.length = 0
  await page.reload()
  await page.waitForTimeout(300)
  expectValue(sent).toEqual([])
  socket.close()
})

test('pages of the blocklist are not shown, and the watcher sees a note', async () => {
  const visited = await visit('/list')
  const { page, sent } = visited
  const session = await sessionOf(visited)
  expectValue(session.customer?.name).toBe('Listed Lena')
  // Chat and recorder of one website know the same customer.
  const storedId = await page.evaluate(() => JSON.parse(localStorage.getItem('__PAPERCUPS____CUSTOMER_ID__')!))
  expectValue(storedId).toBe(session.customer?.id)
  const { topic, countOf, socket } = await watch(session)
  await expect.poll(() => countOf(2), TIMEOUT).toBe(1)
  await page.evaluate(() => {
    history.pushState(null, '', '/list/private')
    document.body.append('a private matter')
  })
  const notes = () => eventsOf(topic).flatMap(({ data }) => (data.tag === 'parley:hidden' ? [data.payload] : []))
  await expect.poll(notes, TIMEOUT).toEqual([true])
  await page.evaluate(() => {
    document.body.lastChild?.remove()
    history.pushState(null, '', '/list/public')
    document.body.append('for everybody')
  })
  await expect.poll(() => sent.join(), TIMEOUT).toContain('for everybody')
  await expect.poll(() => countOf(2), TIMEOUT).toBe(2)
  expectValue(sent.join()).not.toContain('a private matter')
  socket.close()
})

test('with instant replay the last minute is sent, but not before somebody watches', async () => {
  const path = '/api/accounts/me'
  await call(scene.url, 'PUT', path, { account: { settings: { instant_replay: true } } }, scene.token)
  const visited = await visit('/')
  const { page, sent } = visited
  const session = await sessionOf(visited)
  await expect.poll(() => visited.requests, TIMEOUT).toContain('/storytime-recorder.js')
  await page.evaluate(() => document.body.append('before anybody came'))
  await page.waitForTimeout(300)
  expectValue(sent.join()).not.toContain('replay:')
  const { topic, socket } = await watch(session)
  const past = await topic.receive('replay:events', ({ is_past }) => is_past)
  expectValue(past.events.map(({ type }: { type: number }) => type).slice(0, 2)).toEqual([4, 2])
  expectValue(JSON.stringify(past)).toContain('before anybody came')
  await expect.poll(() => eventsOf(topic).filter(({ type }) => type === 2).length, TIMEOUT).toBe(2)
  await call(scene.url, 'PUT', path, { account: { settings: {} } }, scene.token)
  socket.close()
})

test('Papercups’ package records as before, one event at a time', async () => {
  const visited = await visit('/old')
  const session = await sessionOf(visited)
  const { topic, socket } = await watch(session)
  const types = () =>
    topic.received.filter(({ event }) => event === 'replay:event:emitted').map(({ payload }) => payload.event.type)
  await expect.poll(types, TIMEOUT).toContain(2)
  await visited.page.evaluate(() => document.body.append('said in the old way'))
  await topic.receive('replay:event:emitted', (payload) => JSON.stringify(payload).includes('said in the old way'))
  const snapshots = () => types().filter((type) => type === 2).length
  const before = snapshots()
  await visited.page.reload()
  await expect.poll(() => visited.requests, TIMEOUT).toContain(`/api/browser_sessions/${session.id}/restart`)
  await expect.poll(snapshots, TIMEOUT).toBeGreaterThan(before)
  socket.close()
})
