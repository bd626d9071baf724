import type { Frame, Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { type Scene, setScene } from './scene.ts'

const TIMEOUT = { timeout: 20_000 }
let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

type Node = Record<string, unknown>
let ids = 0
const element = (tagName: string, attributes: object = {}, ...childNodes: Node[]): Node => ({
  type: 2,
  id: ++ids,
  tagName,
  attributes,
  childNodes,
})
const text = (textContent: string): Node => ({ type: 3, id: ++ids, textContent })
const doctype = (): Node => ({ type: 1, id: ++ids, name: 'html', publicId: '', systemId: '' })
const meta = (timestamp: number) => ({
  type: 4,
  timestamp,
  data: { href: 'https://shop.test/', width: 640, height: 400 },
})
const full = (timestamp: number, ...body: Node[]) => {
  const html = element('html', { lang: 'en' }, element('head'), element('body', {}, ...body))
  const node = { type: 0, id: ++ids, childNodes: [doctype(), html] }
  return { type: 2, timestamp, data: { node, initialOffset: { left: 0, top: 0 } } }
}

/** An item added to a list: one record per node, as recorders send it. */
function added(list: Node, content: string) {
  const item = element('li')
  return [
    { parentId: list.id, nextId: null, node: item },
    { parentId: item.id, nextId: null, node: text(content) },
  ]
}

interface Box {
  page: Page
  frame: Frame
  post(event: object): Promise<void>
  /** Messages that the box sent to its page. */
  posted(): Promise<{ say: string }[]>
  /** Requested addresses since the box was opened; requests blocked by its policy never leave the browser. */
  requests: string[]
  faults: string[]
}

/** The box in a page of the dashboard's own origin, with data that an attacker would look for. */
async function openBox(): Promise<Box> {
  const { page, faults } = await openPage(scene.browser)
  await page.goto(`${scene.url}/login`)
  await page.evaluate(() => {
    localStorage.setItem('parley.session', 'dashboard-token')
    const posted: unknown[] = []
    Reflect.set(window, 'posted', posted)
    addEventListener('message', ({ data }) => posted.push(data))
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.src = '/replay.html'
    frame.width = '640'
    frame.height = '400'
    document.body.prepend(frame)
  })
  const posted = () => page.evaluate(() => Reflect.get(window, 'posted') as { say: string }[])
  await expect.poll(async () => (await posted()).length, TIMEOUT).toBe(1)
  const frame = page.frames().find((candidate) => candidate.url().endsWith('/replay.html'))!
  const requests: string[] = []
  page.on('response', (response) => response.frame() === frame && requests.push(response.url()))
  const post = (message: object) =>
    page.evaluate((payload) => document.querySelector('iframe')!.contentWindow!.postMessage(payload, '*'), message)
  return { page, frame, post, posted, requests, faults }
}

const drawn = ({ posted }: Box, times = 1) =>
  expect.poll(async () => (await posted()).filter(({ say }) => say === 'drawn').length, TIMEOUT).toBe(times)

test('a page is shown, changes, and is replaced by the next one', async () => {
  const box = await openBox()
  const field = element('input', { value: '•••' })
  const list = element('ul', {}, element('li', {}, text('first')))
  const at = 1_700_000_000_000
  await box.post({ say: 'events', events: [meta(at), full(at + 1, element('h1', {}, text('Bowls')), field, list)] })
  await drawn(box)
  await expect(box.frame.getByRole('heading', { name: 'Bowls' })).toBeVisible()
  const adds = added(list, 'second')
  await box.post({
    say: 'events',
    events: [
      { type: 3, timestamp: at + 20, data: { source: 0, texts: [], attributes: [], removes: [], adds } },
      { type: 3, timestamp: at + 30, data: { source: 5, id: field.id, text: '••••••', isChecked: false } },
      { type: 3, timestamp: at + 40, data: { source: 1, positions: [{ x: 40, y: 50, id: list.id, timeOffset: 0 }] } },
    ],
  })
  await expect(box.frame.getByRole('listitem')).toHaveText(['first', 'second'])
  await expect(box.frame.getByRole('textbox')).toHaveValue('••••••')
  expectValue(await box.posted()).toContainEqual({ say: 'size', width: 640, height: 400 })
  await box.post({ say: 'events', events: [meta(at + 50), full(at + 51, element('h1', {}, text('Cups')))] })
  await drawn(box, 2)
  await expect(box.frame.getByRole('heading')).toHaveText('Cups')
  expectValue(box.faults).toEqual([])
})

test('the last minute is played first, then live', async () => {
  const box = await openBox()
  const at = 1_700_000_000_000
  const list = element('ul')
  const add = (after: number, content: string) => {
    const data = { source: 0, texts: [], attributes: [], removes: [], adds: added(list, content) }
    return { type: 3, timestamp: at + after, data }
  }
  await box.post({ say: 'past', events: [meta(at), full(at + 1, list), add(50, 'early'), add(400, 'later')] })
  await expect(box.frame.getByRole('listitem')).toHaveText(['early', 'later'])
  await expect.poll(async () => JSON.stringify(await box.posted()), TIMEOUT).toContain('finished')
  await box.post({ say: 'events', events: [meta(at + 500), full(at + 501, element('h1', {}, text('Meanwhile')))] })
  await expect(box.frame.getByRole('listitem')).toHaveCount(2)
  await box.post({ say: 'live' })
  await box.post({ say: 'events', events: [meta(at + 600), full(at + 601, element('h1', {}, text('Now')))] })
  await expect(box.frame.getByRole('heading')).toHaveText('Now')
})

test('nothing that a recorder sends can run scripts, load anything, navigate or read the dashboard', async () => {
  const box = await openBox()
  const at = 1_700_000_000_000
  const evil = `${scene.url}/api/ping?evil`
  const steal = "parent.postMessage({say:'stolen',loot:localStorage.getItem('parley.session')},'*')"
  await box.post({
    say: 'events',
    events: [
      meta(at),
      full(
        at + 1,
        element('h1', {}, text('Innocent')),
        element('script', { src: evil }, text(steal)),
        element('script', {}, text(steal)),
        element('meta', { 'http-equiv': 'refresh', content: `0;url=${evil}` }),
        element('base', { href: 'https://evil.test/' }),
        element('a', { href: `java\tscript:${steal}`, id: 'link' }, text('press')),
        element('img', { src: evil, onerror: steal, OnError: steal }),
        element('img', { src: 'x:', onerror: steal }),
        element('iframe', { src: evil, srcdoc: `<script>${steal}</script>` }),
        element('object', { data: evil }),
        element('embed', { src: evil }),
        element('form', { action: evil, onsubmit: steal }, element('button', { formaction: `javascript:${steal}` })),
        element('link', { rel: 'stylesheet', href: evil }),
        element('link', { rel: 'prefetch', href: evil }),
        element('link', { rel: 'dns-prefetch', href: 'https://evil.test' }),
        element('style', { _cssText: `@import url(${evil}); body { background: url(${evil}) }` }),
        element('video', { src: evil, poster: evil, autoplay: true }),
        element('svg', { onload: steal }, element('animate', { onbegin: steal, attributeName: 'x', dur: '1s' })),
        element('details', { open: true, ontoggle: steal }),
        element('input', { autofocus: true, onfocus: steal }),
        { type: 2, id: ++ids, tagName: 'evil-element', isCustom: true, attributes: {}, childNodes: [] },
        // Markup that a browser would parse, given as text.
        element('p', {}, text(`<img src=x onerror="${steal}">`)),
      ),
    ],
  })
  await drawn(box)
  await expect(box.frame.getByRole('heading')).toHaveText('Innocent')
  const link = await box.frame.evaluate(() => (document.querySelector('#link') as HTMLAnchorElement).href)
  expectValue(link).toBe('')
  const attributes = { onclick: steal, srcdoc: steal, href: `javascript:${steal}` }
  const changes = { source: 0, texts: [], removes: [], adds: [], attributes: [{ id: ids - 2, attributes }] }
  await box.post({ say: 'events', events: [{ type: 3, timestamp: at + 5, data: changes }] })
  // Even if some of this ran, the browser would keep the frame away from everything.
  const alone = await box.frame.evaluate(async (address) => {
    const tried: Record<string, string> = {}
    const attempt = async (name: string, work: () => unknown) => {
      try {
        tried[name] = String(await work())
      } catch (error) {
        tried[name] = (error as Error).name
      }
    }
    await attempt('storage', () => localStorage.length)
    await attempt('cookie', () => document.cookie)
    await attempt('parent', () => parent.document.title)
    await attempt('fetch', () => fetch(address))
    await attempt('frame', () => {
      const frame = document.createElement('iframe')
      document.body.append(frame)
      return frame.contentDocument
    })
    return { ...tried, origin: self.origin }
  }, evil)
  expectValue(alone).toEqual({
    storage: 'SecurityError',
    cookie: 'SecurityError',
    parent: 'SecurityError',
    fetch: 'TypeError',
    frame: 'null',
    origin: 'null',
  })
  await box.page.waitForTimeout(500)
  expectValue(JSON.stringify(await box.posted())).not.toContain('stolen')
  expectValue(box.requests).toEqual([])
  expectValue(box.page.url()).toBe(`${scene.url}/login`)
})

test('a huge tree and inconsistent events are reported as not displayable, and the next page is shown', async () => {
  const box = await openBox()
  const at = 1_700_000_000_000
  await box.page.evaluate(
    (page) => {
      // Created in the page, because transferring it would take long.
      const many = Array.from({ length: 250_000 }, (_, id) => ({
        type: 2,
        id,
        tagName: 'b',
        attributes: {},
        childNodes: [],
      }))
      const { childNodes } = page.data.node.childNodes[1] as { childNodes: object[] }
      childNodes.push(...many.slice(0, 10), { type: 2, id: 9e8, tagName: 'p', attributes: {}, childNodes: many })
      document.querySelector('iframe')!.contentWindow!.postMessage({ say: 'events', events: [page] }, '*')
    },
    full(at + 1),
  )
  await expect.poll(async () => JSON.stringify(await box.posted()), TIMEOUT).toContain('fault')
  await box.post({
    say: 'events',
    events: [
      { type: 2, timestamp: at + 2, data: { node: { type: 0, id: 1, childNodes: [] } } },
      { type: 3, timestamp: at + 3, data: { source: 0, adds: 'none' } },
      { type: 3, timestamp: at + 4, data: null },
      { type: 99, timestamp: 'x', data: { source: 99 } },
      null,
    ],
  })
  await box.post({ say: 'nonsense' })
  await box.post([])
  await box.post({ say: 'events', events: [meta(at + 5), full(at + 6, element('h1', {}, text('Still here')))] })
  await expect(box.frame.getByRole('heading')).toHaveText('Still here')
})
