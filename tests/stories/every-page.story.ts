import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { TEMPLATE_VARIABLES } from '#contract/mail/email-templates.ts'
import { expect } from '#tests/support/browser.ts'
import { PAGES } from '../../dashboard/pages.ts'
import { call, findConversation, openDashboard, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
/** An id for each named part of an address. */
let ids: Record<string, string>
beforeAll(async () => {
  scene = await setScene()
  await writeInShop(scene, 'Is anybody there?')
  const { id: conversation_id, customer_id, inbox_id } = await findConversation(scene, 'anybody')
  const make = async (path: string, body: object) =>
    (await call(scene.url, 'POST', path, body, scene.token)).data.id as string
  ids = {
    conversation_id,
    inbox_id,
    view_id: await make('/api/conversation_views', { view: { name: 'Everything' } }),
    '/customers': customer_id,
    '/companies': await make('/api/companies', { company: { name: 'Globex' } }),
    '/tags': await make('/api/tags', { tag: { name: 'vip' } }),
    '/issues': await make('/api/issues', { issue: { title: 'Slow' } }),
    '/help-center': await make('/api/articles', {
      article: { language: 'en', title: 'Returns', body: 'Pack it well.' },
    }),
    '/functions': await make('/api/lambdas', { lambda: { name: 'Echo' } }),
    '/developers': await make('/api/event_subscriptions', {
      event_subscription: { webhook_url: 'https://shop.test/hook', scope: 'all' },
    }),
    bucket: 'all',
    type: 'google',
    '*': 'none',
  }
})
afterAll(() => scene.close())

/** The address of a pattern such as `/customers/:id`, with ids of existing things. */
function addressOf(pattern: string): string {
  const filled = pattern.replace(/:(\w+)\??|\*/g, (part, name) => {
    const value = ids[name ?? part] ?? ids[`/${pattern.replace('/v1', '').split('/')[1]}`]
    if (!value) throw new Error(`${pattern}: this test knows no ${part}`)
    return value
  })
  return filled
}

test('each page of the dashboard opens without errors, and no text is missing', async () => {
  const { page, faults } = await openDashboard(scene)
  // A live session needs a visitor on a website; `live-sessions.story.ts` has them.
  const addresses = PAGES.filter(({ alone, paths }) => !alone && !paths[0]!.includes(':session')).map(({ paths }) =>
    addressOf(paths[0]!),
  )
  expectValue(addresses.length).toBeGreaterThan(40)
  for (const address of addresses) {
    await page.evaluate((path) => {
      for (const part of document.querySelectorAll('main, main *')) part.setAttribute('data-before', '')
      history.pushState({}, '', path)
      dispatchEvent(new PopStateEvent('popstate', { state: {} }))
    }, address)
    await expect(page.locator('main h1:not([data-before])').first(), address).toBeVisible()
    await expect(page.locator('main [aria-busy="true"]'), address).toHaveCount(0)
    const text = await page.getByRole('main').innerText()
    expectValue(missingTexts(text), address).toEqual([])
    expectValue(text, address).not.toMatch(/This page could not be shown|comes with a later version/i)
    expectValue(faults, address).toEqual([])
  }
})

test('nothing moves while a page loads, so that no click misses', async () => {
  const { page } = await openDashboard(scene)
  await page.addInitScript(() => {
    const seen: [number, string][] = []
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as (PerformanceEntry & Shift)[]) {
        seen.push([value, sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(', ')])
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const path of ['/settings/saved-replies', '/getting-started', '/customers']) {
    await page.goto(scene.url + path)
    await expect(page.locator('main h1'), path).toBeVisible()
    await page.waitForLoadState('networkidle')
    const shifts = await page.evaluate(() => (window as unknown as { seen: [number, string][] }).seen)
    // Icons and short words may shift slightly. A hundredth of the window, times the distance, is far more.
    expectValue(
      shifts.filter(([value]) => value > 0.01),
      path,
    ).toEqual([])
  }
})

/** Chromium's report of a layout shift: which share of the window moved, and how far. */
interface Shift {
  value: number
  sources: { node?: Node }[]
}

/** Keys of all texts, such as `customers.tabs.notes`: a text that was not loaded with its page shows as its key. */
const NAMES = new Set(
  Object.values(import.meta.glob<{ en: object }>('../../dashboard/**/locales/en.ts', { eager: true })).flatMap(
    ({ en }) => namesIn(en),
  ),
)
/** Variables of mail templates look like such keys. */
const VARIABLES = new Set(Object.values(TEMPLATE_VARIABLES).flatMap((variables) => variables.map(({ name }) => name)))

function namesIn(texts: object, before = ''): string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [before + name] : namesIn(text as object, `${before}${name}.`),
  )
}

function missingTexts(text: string): string[] {
  return (text.match(/[a-z_]+(\.[a-z_]+)+/g) ?? []).filter((word) => NAMES.has(word) && !VARIABLES.has(word))
}
