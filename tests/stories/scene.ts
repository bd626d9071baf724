import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from '@playwright/test'
import axe, { type Result, type RunOptions } from 'axe-core'
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
  /** Ada's access token, for API calls of a story. */
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
  return answer.status === 204 ? undefined : answer.json()
}

/** Ada's dashboard, signed in and showing the inbox. */
export async function openDashboard(scene: Scene, options: PageOptions = {}): Promise<Watched> {
  const watched = await openSignedIn(scene, '/conversations/all', options)
  const { page } = watched
  await expect(page.getByRole('heading', { name: 'All conversations' })).toBeVisible()
  // Keys pressed before the list has loaded would do nothing.
  const row = page.locator('a[href^="/conversations/all/"]')
  await expect(row.or(page.getByText('No messages', { exact: true })).first()).toBeVisible()
  return watched
}

/** Opens a page signed in as Ada or another of her users. Signing in through the page has stories of its own. */
export async function openSignedIn(
  { browser, url }: Scene,
  path: string,
  options: PageOptions = {},
  user = ADA,
): Promise<Watched> {
  const watched = await openPage(browser, options)
  const { page } = watched
  const { data } = await call(url, 'POST', '/api/session', { user })
  await page.addInitScript(storeSession, { ...data, renewed_at: Date.now() })
  await page.context().addCookies([{ name: 'token', value: data.token, url: `${url}/widget/`, sameSite: 'Strict' }])
  await page.goto(url + path)
  return watched
}

/** Runs in each page before the dashboard does. Only once: after signing out a user stays signed out. */
function storeSession(tokens: object) {
  // A frame gets the session from its page, or belongs to another site.
  if (window !== top) return
  if (sessionStorage.getItem('was here')) return
  sessionStorage.setItem('was here', 'yes')
  localStorage.setItem('parley.session', JSON.stringify(tokens))
}

/** Stops a page's installed clock, which then moves only as far as the story says, however slow the machine is. */
export async function pauseClock(page: Page): Promise<void> {
  const now = await page.evaluate(() => Date.now())
  // The clock cannot be set back, and goes on until it is paused.
  await page.clock.pauseAt(now + 5_000)
}

/** A visitor of the shop's page with the chat closed. */
export async function visitShop({ browser, shop }: Scene, options: PageOptions = {}): Promise<Watched> {
  const watched = await openPage(browser, options)
  await watched.page.goto(shop)
  return watched
}

/** Opens the chat, unless it is open, and returns its frame. */
export async function openChat(page: Page) {
  const bubble = page.getByRole('button', { name: /^(Open|Close) chat widget$/ })
  await expect(bubble).toBeVisible()
  if ((await bubble.getAttribute('aria-expanded')) !== 'true') await bubble.click()
  const chat = page.frameLocator('iframe')
  const write = chat.getByPlaceholder('Start typing...')
  await expect(write).toBeVisible()
  return {
    chat,
    /** The messages of the chat in order. */
    log: chat.getByRole('log'),
    async sendMessage(text: string) {
      await write.fill(text)
      await write.press('Enter')
    },
  }
}

/** A visitor sends a message in the shop's chat, and it arrives. Their page stays open. */
export async function writeInShop(scene: Scene, text: string): Promise<Page> {
  const { page } = await visitShop(scene)
  const { sendMessage, log } = await openChat(page)
  await sendMessage(text)
  await expect(log).toContainText('Sent')
  return page
}

/** The conversation that mentions a word, from the API. */
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

/** Replies in the open conversation. */
export async function reply(page: Page, text: string) {
  const write = page.getByPlaceholder('Write a reply')
  await write.fill(text)
  await write.press('Control+Enter')
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * Expects two engines to find nothing: axe checks the guidelines on a whole page, and also good practice in a part of
 * it, such as `main`; IBM's Equal Access checks the whole page or an open dialog. Not for pages with a frame in which
 * no script may run: axe waits for it for ever.
 */
export async function expectNoFindings(page: Page, part?: string) {
  // A page that has not been drawn yet has no landmarks.
  await expect(page.locator('main').first()).toBeVisible()
  const violations = await findWithAxe(page, part)
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
  // What is behind a dialog is inert, and was checked before it opened.
  expect(await findWithEqualAccess(page, part === DIALOG ? part : undefined)).toEqual([])
}

type Engine = Pick<typeof axe, 'run'>

/**
 * The violations axe finds. On a page with frames its builder checks each and merges the results on a second page. On one
 * without, the builder would load the engine twice for every check, which takes four times as long as the check itself.
 */
async function findWithAxe(page: Page, part?: string): Promise<Result[]> {
  // Recording passed rules would take as long again.
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

/** Rules that are never certain, and take more time than all others together. */
const UNSURE = ['style_focus_visible', 'element_tabbable_unobscured', 'element_tabbable_visible']

/**
 * The certain findings of IBM's engine, without those where it is wrong: what is inert behind a dialog, what is hidden
 * from screen readers (axe checks that nothing there can take the focus), contents of templates, and table headers that
 * only screen readers see on a phone.
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
      // Elements in a template have no window, about which some rules log errors.
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
