import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { newerScriptFeatures } from '#tests/browser-support/newer-features.ts'
import { removeFeatures } from '#tests/browser-support/remove-features.ts'
import { expect } from '#tests/support/browser.ts'
import { openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

/** `npm run test:old-browsers` sets it. With all features it takes several minutes, so the other stories leave it out. */
const EACH = process.env.EACH_FEATURE
const PATIENCE = { timeout: 10_000 }
/** What browsers have only together. */
const TOGETHER: Record<string, string[]> = { '.popover': ['.popover', '.showPopover'] }
const QUESTION = 'Is this bowl still there?'

/** Everything that one of the oldest browsers lacks and that a shipped script mentions. What none mentions changes nothing. */
function listMentioned(): string[] {
  const dist = resolve(import.meta.dirname, '../../dist')
  const scripts = globSync(['dashboard/**/*.js', 'widget/**/*.js'], { cwd: dist })
  const mentioned = new Set(scripts.flatMap((file) => readFileSync(resolve(dist, file), 'utf8').match(/[\w$]+/g) ?? []))
  const { globals, statics, members, apiMembers } = newerScriptFeatures()
  const dotted = [...members, ...apiMembers].map((name) => `.${name}`)
  return [...globals, ...statics, ...dotted].filter((feature) =>
    feature.split('.').every((name) => name === '' || mentioned.has(name)),
  )
}

/** Runs in a page. Those that the browser of the test has. */
function listPresent(features: string[]): string[] {
  const page = globalThis as unknown as Record<string, { prototype?: object } | undefined>
  const prototypes = Object.getOwnPropertyNames(globalThis).flatMap((name) => {
    try {
      return page[name]?.prototype ?? []
    } catch {
      return []
    }
  })
  return features.filter((feature) => {
    const [owner = '', name] = feature.split('.')
    if (name === undefined) return owner in globalThis
    if (owner) return Object(page[owner]) === page[owner] && name in Object(page[owner])
    return prototypes.some((prototype) => Object.hasOwn(prototype, name))
  })
}

/** Opens a page without a feature, looks for the text, and returns what went wrong. */
async function openWithout(context: BrowserContext, feature: string, url: string, text: (page: Page) => Promise<void>) {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  await page.addInitScript(removeFeatures, TOGETHER[feature] ?? [feature])
  await page.goto(url)
  await text(page).catch((error: Error) => faults.push(error.message.split('\n')[0]!))
  await page.close()
  return faults.map((fault) => `${feature} at ${new URL(url).pathname}: ${fault}`)
}

async function seeChat(page: Page) {
  await expect(page.frameLocator('iframe').getByRole('log')).toContainText(QUESTION, PATIENCE)
}

async function seeThread(page: Page) {
  await expect(page.getByRole('article').filter({ hasText: QUESTION })).toBeVisible(PATIENCE)
}

/** A visitor who has written, and an agent who is signed in. Both keep their storage for all pages. */
async function open(scene: Scene) {
  const visitor = await visitShop(scene)
  const chat = visitor.page.frameLocator('iframe')
  const write = chat.getByPlaceholder('Start typing...')
  await write.fill(QUESTION)
  await write.press('Enter')
  await expect(chat.getByRole('log')).toContainText('Sent')
  const agent = await openSignedIn(scene, '/conversations/all')
  await agent.page.getByRole('link').filter({ hasText: QUESTION }).click()
  await seeThread(agent.page)
  const session = await agent.page.evaluate(() => ({ ...localStorage }))
  await agent.page.context().addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) if (window === top) localStorage.setItem(key, value)
  }, session)
  return { visitor, agent, thread: agent.page.url() }
}

const withEach = test.skipIf(!EACH)

withEach('chat and dashboard show a thread without each newer feature in turn', { timeout: 3_600_000 }, async () => {
  const scene = await setScene({ isOpenByDefault: true })
  try {
    const { visitor, agent, thread } = await open(scene)
    const features = await visitor.page.evaluate(listPresent, listMentioned())
    await visitor.page.close()
    await agent.page.close()
    const faults: string[] = []
    for (const feature of features) {
      faults.push(...(await openWithout(visitor.page.context(), feature, scene.shop, seeChat)))
      faults.push(...(await openWithout(agent.page.context(), feature, thread, seeThread)))
    }
    console.log(`${features.length} features were removed, one at a time: ${features.join(', ')}`)
    expectValue(features.length).toBeGreaterThan(20)
    expectValue(faults).toEqual([])
  } finally {
    await scene.close()
  }
})
