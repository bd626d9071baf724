import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'
import { onTestFinished } from 'vitest'
import { closePages, expect, openPage, shareBrowser, type Watched } from '#tests/support/browser.ts'
import { type DatabaseAddress, freshDatabase } from '#tests/support/database.ts'
import { startDemoSite } from '#tests/support/demo-site.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'

export const ADA = { email: 'ada@acme.test', password: 'correct horse battery' }

type PageOptions = Parameters<typeof openPage>[1]

export interface Scene {
  browser: Browser
  server: ServerProcess
  url: string
  account_id: string
  /** Ada's access token, for what a story does behind the scenes. */
  token: string
  /** For what no call can do yet. */
  database: DatabaseAddress
  /** A shop on another origin that embeds the widget. */
  shop: string
  close(): Promise<void>
}

/** A whole server in a process of its own, the account Acme with its admin Ada, a demo shop, and a browser. */
export async function setScene(
  shopConfig: Record<string, unknown> = {},
  env: Record<string, string> = {},
  browserOptions: Parameters<typeof shareBrowser>[0] = {},
): Promise<Scene> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-story-'))
  const { connection, drop } = await freshDatabase()
  const server = new ServerProcess(await freePort(), dataDir, { TEST_DATABASE: JSON.stringify(connection), ...env })
  await server.start()
  const url = `http://localhost:${server.port}`
  const user = { company_name: 'Acme', ...ADA, password_confirmation: ADA.password }
  const { data } = await call(url, 'POST', '/api/registration', { user })
  const site = await startDemoSite({ server: url, token: data.account_id, port: 0, config: shopConfig })
  const browser = await shareBrowser(browserOptions)
  return {
    browser,
    server,
    url,
    account_id: data.account_id,
    token: data.token,
    database: connection,
    shop: site.url,
    async close() {
      await closePages(browser)
      await site.close()
      await server.stop()
      await drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export async function call(url: string, method: string, path: string, body?: object, token?: string) {
  const answer = await fetch(url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...(token && { authorization: token }) },
    body: body && JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

/** Ada at her desk, signed in and looking at the inbox. */
export async function openDashboard(scene: Scene, options: PageOptions = {}): Promise<Watched> {
  const watched = await openSignedIn(scene, '/conversations/all', options)
  const { page } = watched
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  // Keys that are pressed before the list stands find nothing to act on.
  const row = page.locator('a[href^="/conversations/all/"]')
  await expect(row.or(page.getByText('No messages', { exact: true })).first()).toBeVisible()
  return watched
}

/** Ada, or somebody else of hers, signed in and on the way to a screen. The way through the sign-in page has stories of its own. */
export async function openSignedIn(
  { browser, url }: Scene,
  path: string,
  options: PageOptions = {},
  user = ADA,
): Promise<Watched> {
  const watched = closedAfterwards(await openPage(browser, options))
  const { page } = watched
  const { data } = await call(url, 'POST', '/api/session', { user })
  await page.addInitScript(keepSession, { ...data, renewed_at: Date.now() })
  await page.context().addCookies([{ name: 'token', value: data.token, url: `${url}/widget/`, sameSite: 'Strict' }])
  await page.goto(url + path)
  return watched
}

/** Pages that nobody looks at any more go on working, so they leave with their test; those opened before the first stay. */
function closedAfterwards(watched: Watched): Watched {
  try {
    onTestFinished(() => watched.page.context().close())
  } catch {
    // Opened for all tests of the file.
  }
  return watched
}

/** Runs in each page before the dashboard does. Once only: whoever signs out stays out. */
function keepSession(tokens: object) {
  // What stands in a frame has it from the page, or is somebody else's.
  if (window !== top) return
  if (sessionStorage.getItem('was here')) return
  sessionStorage.setItem('was here', 'yes')
  localStorage.setItem('parley.session', JSON.stringify(tokens))
}

/** Somebody on the shop's page, with the chat not opened yet. */
export async function visitShop({ browser, shop }: Scene, options: PageOptions = {}): Promise<Watched> {
  const watched = closedAfterwards(await openPage(browser, options))
  await watched.page.goto(shop)
  return watched
}

/** The chat inside its frame, opened when it is not. */
export async function openChat(page: Page) {
  const bubble = page.getByRole('button', { name: /^(Open|Close) chat widget$/ })
  await expect(bubble).toBeVisible()
  if ((await bubble.getAttribute('aria-expanded')) !== 'true') await bubble.click()
  const chat = page.frameLocator('iframe')
  const write = chat.getByPlaceholder('Start typing...')
  await expect(write).toBeVisible()
  return {
    chat,
    /** What is said in the chat, in its order. */
    log: chat.getByRole('log'),
    async say(text: string) {
      await write.fill(text)
      await write.press('Enter')
    },
  }
}

/** Somebody says something in the shop's chat, and it has come. Their page stays open. */
export async function askInShop(scene: Scene, text: string): Promise<Page> {
  const { page } = await visitShop(scene)
  const { say, log } = await openChat(page)
  await say(text)
  await expect(log).toContainText('Sent')
  return page
}

/** The conversation that mentions a word, as the API tells it. */
export async function findConversation({ url, token }: Scene, word: string) {
  const { data } = await call(url, 'GET', `/api/conversations?q=${encodeURIComponent(word)}`, undefined, token)
  return data[0]
}

/** A small green picture. */
export const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADwAAAAoCAMAAACVZWnNAAAAA1BMVEUAqmZXQ63UAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAGUlEQVRIx+3BMQEAAADCoPVPbQwfoAAAeBgJiAABJcSfhgAAAABJRU5ErkJggg==',
  'base64',
)

/** Opens the conversation whose list entry shows a text. */
export async function openConversation(page: Page, text: string) {
  await page.getByRole('link').filter({ hasText: text }).first().click()
}

/** Answers in the open conversation. */
export async function reply(page: Page, text: string) {
  const write = page.getByPlaceholder('Write a reply')
  await write.fill(text)
  await write.press('Control+Enter')
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Two engines find nothing: axe, on the page as a whole what the guidelines demand, in a part of it, such as `main`, also
 * what is good practice; and IBM's Equal Access, on the whole page or an open dialog. Not for pages with a frame in which
 * nothing may run: axe waits for it for ever.
 */
export async function expectNoFindings(page: Page, part?: string) {
  const violations = await findWithAxe(page, part)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
  // What lies behind a dialog is inert, and was looked at before it was opened.
  expect(await findWithEqualAccess(page, part === DIALOG ? part : undefined)).toEqual([])
}

type Engine = Pick<typeof axe, 'run'>

/**
 * What axe finds. Where a page has frames its builder looks into each and puts the results together on a second page.
 * Where it has none the builder would load the engine anew each time, twice, which takes four times as long as looking.
 */
async function findWithAxe(page: Page, part?: string): Promise<Result[]> {
  // What passes is not written down, which takes as long again.
  const options = {
    resultTypes: ['violations'],
    ...(!part && { runOnly: { type: 'tag', values: WCAG } }),
  } satisfies RunOptions
  if (page.frames().length > 1) {
    const builder = new AxeBuilder({ page }).options(options)
    return (await (part ? builder.include(part) : builder).analyze()).violations
  }
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(
    async ({ root, options }) => {
      const { axe } = window as unknown as { axe: Engine }
      return (await axe.run(root ?? document, options)).violations
    },
    { root: part, options },
  )
}

const DIALOG = '[role="dialog"]'

const require = createRequire(import.meta.url)
const EQUAL_ACCESS = readFileSync(require.resolve('accessibility-checker-engine/ace.js'), 'utf8')

interface Finding {
  ruleId: string
  value: [string, string]
  message: string
  snippet: string
  node?: Node
  path: { dom: string }
}

interface Guideline {
  id: string
  checkpoints: { rules?: { id: string }[] }[]
}

interface EqualAccess {
  Checker: new () => {
    getGuidelines(): Guideline[]
    addGuideline(guideline: Guideline): void
    check(node: Document | Element, rules: string[]): Promise<{ results: Finding[] }>
  }
}

/** Rules that are never sure of anything, and take more time than all others together. */
const UNSURE = ['style_focus_visible', 'element_tabbable_unobscured', 'element_tabbable_visible']

/**
 * What IBM's engine is sure of. Left out is what it is wrong about: what lies inert behind a window, what is hidden from
 * screen readers (axe sees to it that nothing there takes the focus), what nobody sees in a template, and heads of tables
 * that only screen readers meet on a phone.
 */
async function findWithEqualAccess(page: Page, part?: string): Promise<string[]> {
  if (!(await page.evaluate(() => 'ace' in window))) await page.evaluate(`${EQUAL_ACCESS};window.ace = ace`)
  return page.evaluate(
    async ({ unsure, root }) => {
      const { ace } = window as unknown as { ace: EqualAccess }
      const checker = new ace.Checker()
      const whole = checker.getGuidelines().find(({ id }) => id === 'WCAG_2_2')!
      const checkpoints = whole.checkpoints.map(({ rules = [], ...checkpoint }) => ({
        ...checkpoint,
        rules: rules.filter(({ id }) => !unsure.includes(id)),
      }))
      checker.addGuideline({ ...whole, id: 'sure', checkpoints })
      // What stands in a template has no window, on which some rules stumble and say so.
      const { error } = console
      console.error = () => undefined
      const { results } = await checker.check(root ? document.querySelector(root)! : document, ['sure']).finally(() => {
        console.error = error
      })
      const isWrong = ({ node, path, ruleId }: Finding) =>
        path.dom.includes('/template[') ||
        (node instanceof Element &&
          (node.closest('[inert], [aria-hidden="true"]') ||
            (ruleId === 'table_headers_exists' && node.querySelector('thead th[scope]'))))
      return results
        .filter((finding) => finding.value[0] === 'VIOLATION' && finding.value[1] === 'FAIL' && !isWrong(finding))
        .map(({ ruleId, message, snippet }) => `${ruleId}: ${message} ${snippet}`)
    },
    { unsure: UNSURE, root: part },
  )
}
