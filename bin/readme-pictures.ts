import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { launchBrowser } from '#tests/support/browser.ts'
import { startDemoSite } from '#tests/support/demo-site.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { SEED_PASSWORD } from './seed/team.ts'

/**
 * `npm run pictures:readme`: the picture and the animation of the README, taken of the sample company. On the left an agent's
 * inbox, on the right a shop with the chat. Build first.
 */

const DOCS = resolve(import.meta.dirname, '../docs')
const INBOX = { width: 1180, height: 780 }
const SHOP = { width: 760, height: 780 }
const CHAT = {
  title: 'Fernhill Ceramics',
  subtitle: 'We usually answer within minutes.',
  customer: { name: 'Nora Lind' },
}
const QUESTION = 'Hello! Is the tall cup in oat back in stock?'
const ANSWER = 'Yes, since this morning. Shall I put one aside for you?'

/** One moment of the animation: both windows as they are, shown for a time. */
interface Moment {
  image: Buffer
  milliseconds: number
}

const dataDir = await mkdtemp(join(tmpdir(), 'parley-pictures-'))
const server = new ServerProcess(await freePort(), dataDir)
const browser = await launchBrowser({ isWhole: true })
try {
  seed()
  await server.start()
  const url = `http://localhost:${server.port}`
  const inbox = await openInbox(url)
  const { account_id } = await inbox.evaluate(() => JSON.parse(localStorage.getItem('parley.session')!))
  const site = await startDemoSite({ server: url, token: account_id, port: 0, config: CHAT })
  try {
    const shop = await openWindow(site.url, SHOP)
    const moments = await talk(inbox, shop)
    await sharp(moments.at(-1)!.image).webp({ quality: 90 }).toFile(join(DOCS, 'parley.webp'))
    await writeAnimation(moments, join(DOCS, 'parley-animated.webp'))
  } finally {
    await site.close()
  }
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}

function seed(): void {
  const { status } = spawnSync(process.execPath, [resolve(import.meta.dirname, 'seed.ts')], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The sample company could not be created.')
}

async function openWindow(url: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(url)
  return page
}

async function openInbox(url: string): Promise<Page> {
  const page = await openWindow(`${url}/login`, INBOX)
  await page.getByLabel('Email').fill('ada@lumenandoak.example')
  await page.getByLabel('Password', { exact: true }).fill(SEED_PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(/conversations|getting-started/)
  await page.goto(`${url}/conversations/all`)
  await page.locator('a[href^="/conversations/all/"]').first().waitFor()
  return page
}

/** A visitor asks, an agent sees it, opens it, and answers. */
async function talk(inbox: Page, shop: Page): Promise<Moment[]> {
  const moments: Moment[] = []
  const show = async (milliseconds: number) => {
    moments.push({ image: await photograph(inbox, shop), milliseconds })
  }
  await show(900)
  await shop.getByRole('button', { name: /chat/i }).first().click()
  const chat = shop.frameLocator('iframe[title]').first()
  const field = chat.getByRole('textbox').first()
  await field.waitFor()
  await show(900)
  await write(field, QUESTION, show)
  await field.press('Enter')
  const row = inbox.locator('a[href^="/conversations/all/"]').filter({ hasText: QUESTION.slice(0, 22) })
  await row.first().waitFor()
  await show(1500)
  await row.first().click()
  // Away from the list, where the pointer would turn an avatar into a checkbox.
  await inbox.mouse.move(880, 300)
  const composer = inbox.getByRole('textbox', { name: 'Reply' })
  await composer.waitFor()
  await show(1200)
  await write(composer, ANSWER, show)
  await composer.press('Control+Enter')
  await chat.getByText(ANSWER).waitFor()
  await show(3000)
  return moments
}

/** A few pictures while a text is written. */
async function write(field: Locator, text: string, show: (milliseconds: number) => Promise<void>): Promise<void> {
  const words = text.split(/(?<= )/)
  for (let at = 0; at < words.length; at += 3) {
    await field.pressSequentially(words.slice(at, at + 3).join(''))
    await show(350)
  }
}

/** Both windows side by side, with a line between them. */
async function photograph(inbox: Page, shop: Page): Promise<Buffer> {
  const [left, right] = await Promise.all([inbox.screenshot(), shop.screenshot()])
  const gap = 16
  return sharp({
    create: {
      width: INBOX.width + gap + SHOP.width,
      height: INBOX.height,
      channels: 4,
      background: { r: 0, g: 0, b: 0, alpha: 0 },
    },
  })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: INBOX.width + gap, top: 0 },
    ])
    .png()
    .toBuffer()
}

async function writeAnimation(moments: Moment[], path: string): Promise<void> {
  const frames = await Promise.all(moments.map(({ image }) => sharp(image).resize({ width: 1200 }).png().toBuffer()))
  await sharp(frames, { join: { animated: true } })
    .webp({ quality: 70, loop: 0, delay: moments.map(({ milliseconds }) => milliseconds) })
    .toFile(path)
}
