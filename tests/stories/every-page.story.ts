import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { TEMPLATE_VARIABLES } from '#contract/mail/email-templates.ts'
import { expect } from '#tests/support/browser.ts'
import { createThings, type Ids, listAddresses } from './addresses.ts'
import { findConversation, openDashboard, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
let ids: Ids
beforeAll(async () => {
  scene = await setScene()
  await writeInShop(scene, 'Is anybody there?')
  const { id: conversation_id, customer_id, inbox_id } = await findConversation(scene, 'anybody')
  ids = await createThings(scene.url, scene.token, { conversation_id, customer_id, inbox_id })
})
afterAll(() => scene.close())

test('each page of the dashboard opens without errors, and no text is missing', async () => {
  const { page, faults } = await openDashboard(scene)
  const addresses = listAddresses(ids)
  expectValue(addresses.length).toBeGreaterThan(40)
  expectValue(NAMES.size).toBeGreaterThan(1_000)
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
  Object.values(
    import.meta.glob<object>('../../locales/en/dashboard/*.json', { eager: true, import: 'default' }),
  ).flatMap((texts) => namesIn(texts)),
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
