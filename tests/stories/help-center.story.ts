import AxeBuilder from '@axe-core/playwright'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import {
  call,
  expectNoFindings,
  findConversation,
  openChat,
  openDashboard,
  openSignedIn,
  type Scene,
  setScene,
  visitShop,
} from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

describe('an author', () => {
  test('writes the first article, sees the server’s rendering, publishes it, and restores an earlier version', async () => {
    const { page, faults } = await openSignedIn(scene, '/help-center/articles')
    await page.getByRole('link', { name: 'Write the first article' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('How do I return a lamp?')
    await page.getByRole('button', { name: 'Start writing' }).click()
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.click()
    await page.keyboard.type('Pack it well.')
    await page.getByRole('button', { name: 'Callout' }).click()
    const preview = page.frameLocator('iframe[title="Preview"]')
    await expect(preview.getByRole('heading', { name: 'How do I return a lamp?' })).toBeVisible()
    await expect(preview.locator('aside')).toContainText('Good to know')
    await expect(page.getByText('Draft saved.')).toBeVisible()
    await expect(page.getByText('Readers do not see it yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('Readers see this version', { exact: false })).toBeVisible()
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('Then send it.')
    await expect(page.getByText('Readers see the version of', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: /^Restore How do I/ }).click()
    await page.getByRole('button', { name: 'Yes' }).click()
    await expect(text).not.toContainText('Then send it.')
    // Axe waits for ever for a frame in which no script may run.
    await page.locator('iframe').evaluate((frame) => frame.remove())
    await expectNoFindings(page)
    expectValue(faults).toEqual([])
  })

  test('who saves after somebody else decides which text stays', async () => {
    const { data } = await send('POST', '/api/articles', {
      article: { language: 'en', title: 'Two authors', body: 'First' },
    })
    const { page } = await openSignedIn(scene, `/help-center/articles/${data.id}`)
    const text = page.getByRole('textbox', { name: 'Text' })
    await expect(text).toContainText('First')
    // Fetched again after each event, so the other text comes while this one is being typed.
    await page.route('**/api/articles/*', (route) => route.abort())
    await send('PUT', `/api/articles/${data.id}/translations/en`, {
      translation: { title: 'Two authors', summary: '', body: 'Theirs', version: 1 },
    })
    await text.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and mine')
    await expect(page.getByText('while you were writing', { exact: false })).toBeVisible()
    await page.unroute('**/api/articles/*')
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await expect(page.getByText('Draft saved.')).toBeVisible()
    const { data: after } = await send('GET', `/api/articles/${data.id}`)
    expectValue(after.translations[0].body).toBe('First and mine')
  })
})

/** Publishes an article of the account, and the help center. */
async function publishArticle(title: string, body: string) {
  const { data: existing } = await send('GET', '/api/article_collections')
  const collection = { texts: { en: { name: 'Lamps' } } }
  const { data: made } =
    existing.length > 0 ? { data: existing[0] } : await send('POST', '/api/article_collections', { collection })
  const article = { language: 'en', title, body, collection_id: made.id }
  const { data } = await send('POST', '/api/articles', { article })
  await send('POST', `/api/articles/${data.id}/translations/en/publish`, {})
  await send('PUT', '/api/help_center', { help_center: { is_published: true } })
  return data.id as string
}

test('a chat without a help center looks as before; with one a visitor searches, reads, votes and writes', async () => {
  const before = await visitShop(scene)
  const closed = await openChat(before.page)
  await expect(closed.chat.getByText('How can we help you?')).toBeVisible()
  await expect(closed.chat.getByRole('searchbox')).toHaveCount(0)
  const id = await publishArticle(
    'Which bulbs fit our lamps?',
    'Those with an **E27** base.\n\n## How bright?\n\n60 W.',
  )
  const { page, faults } = await openPage(scene.browser, { viewport: { width: 390, height: 844 }, hasTouch: true })
  await page.goto(scene.shop)
  const { chat, sendMessage, log } = await openChat(page)
  const search = chat.getByRole('searchbox', { name: 'Search for answers' })
  await expect(chat.getByRole('button', { name: 'Which bulbs fit our lamps?' })).toBeVisible()
  await search.fill('zebra crossing')
  await expect(chat.getByText('Nothing found. Write to us below.')).toBeVisible()
  await search.fill('')
  await chat.getByPlaceholder('Start typing...').fill('Which bulb do I need for this')
  await expect(chat.getByText('This may help')).toBeVisible()
  await chat.getByRole('button', { name: 'Which bulbs fit our lamps?' }).click()
  const article = chat.getByRole('dialog', { name: 'Which bulbs fit our lamps?' })
  await expect(article.getByRole('heading', { name: 'How bright?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(article).toHaveCount(0)
  await expect(page.getByRole('dialog')).toBeVisible()
  await chat.getByRole('button', { name: 'Which bulbs fit our lamps?' }).click()
  await article.getByRole('button', { name: 'Yes' }).click()
  await expect(article.getByText('Thank you.')).toBeVisible()
  await expect.poll(async () => (await send('GET', `/api/articles/${id}`)).data.helpful_count).toBe(1)
  const { violations } = await new AxeBuilder({ page }).include('#PapercupsChatWidget').analyze()
  expectValue(violations.map((violation) => violation.id)).toEqual([])
  await article.getByRole('button', { name: 'Write to us' }).click()
  await expect(chat.getByPlaceholder('Start typing...')).toBeFocused()
  await sendMessage('I still have a question')
  await expect(log).toContainText('Sent')
  await expect(search).toHaveCount(0)
  expectValue(faults).toEqual([])
})

test('an agent inserts an article into a reply by keyboard, and makes one of the conversation', async () => {
  await publishArticle('Which bulbs are bright?', 'Those with 60 W.')
  const shop = await visitShop(scene)
  const { sendMessage, log } = await openChat(shop.page)
  await sendMessage('Which bulb do I need?')
  await expect(log).toContainText('Sent')
  const { id } = await findConversation(scene, 'Which bulb do I need?')
  const { page } = await openDashboard(scene)
  await page.goto(`${scene.url}/conversations/all/${id}`)
  const box = page.getByPlaceholder('Write a reply')
  await box.click()
  await page.keyboard.press('Control+i')
  const dialog = page.getByRole('dialog', { name: 'Insert an article' })
  await expect(dialog.getByText('Which bulbs are bright?')).toBeVisible()
  await expect(dialog.getByRole('searchbox')).toBeFocused()
  await dialog.getByRole('button', { name: 'Insert text Which bulbs are bright?' }).click()
  await expect(box).toHaveValue('Those with 60 W.')
  await box.fill('/bright')
  await page.getByRole('option', { name: 'Which bulbs are bright?' }).click()
  await expect(box).toHaveValue(/\/help\/.*\/articles\/which-bulbs-are-bright$/)
  await page.getByRole('button', { name: 'Make an article of it' }).click()
  await expect(page).toHaveURL(/help-center\/articles\/[\da-f-]+$/)
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue(/bulb/i)
})

test('an admin names collections, languages and links, and publishes; axe finds nothing', async () => {
  const { page, faults } = await openSignedIn(scene, '/help-center/collections', {
    viewport: { width: 390, height: 844 },
  })
  await page.getByRole('button', { name: 'New collection' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New collection' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Orders')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('cell', { name: 'Orders', exact: true })).toBeVisible()
  await expectNoFindings(page)
  await page.goto(`${scene.url}/help-center/missing`)
  await expect(page.getByText('Nothing to do here').or(page.getByRole('table'))).toBeVisible()
  await expectNoFindings(page)
  await page.goto(`${scene.url}/help-center/settings`)
  const address = page.getByRole('region', { name: 'Address' })
  await address.getByRole('button', { name: 'Edit' }).click()
  await address.getByRole('textbox', { name: 'Own domain' }).fill('help.acme.test')
  await expect(address.getByText('a CNAME record from help.acme.test', { exact: false })).toBeVisible()
  await address.getByRole('button', { name: 'Cancel' }).click()
  const links = page.getByRole('region', { name: 'Legal links' })
  await links.getByRole('button', { name: 'Edit' }).click()
  await links.getByRole('button', { name: 'Add a link' }).click()
  await links.getByRole('textbox', { name: 'Text of the link' }).fill('Imprint')
  await links.getByRole('textbox', { name: 'Target' }).fill('https://acme.test/imprint')
  await links.getByRole('button', { name: 'Save' }).click()
  await expect(links.getByRole('button', { name: 'Edit' })).toBeVisible()
  await expect.poll(async () => (await send('GET', '/api/help_center')).data.legal_links).toHaveLength(1)
  const visibility = page.getByRole('switch', { name: 'Publish the help center' })
  // Earlier stories have published it.
  for (const is_published of [false, true]) {
    await visibility.click()
    await expect.poll(async () => (await send('GET', '/api/help_center')).data.is_published).toBe(is_published)
  }
  await expectNoFindings(page)
  expectValue(faults).toEqual([])
})

test('searches without a hit become articles', async () => {
  await publishArticle('Where is my order?', 'On its way.')
  const response = await fetch(
    `${scene.url}/api/help/search?${new URLSearchParams({ account_id: scene.account_id, q: 'gift vouchers', language: 'en' })}`,
  )
  expectValue((await response.json()).data).toEqual([])
  const { page } = await openSignedIn(scene, '/help-center/missing')
  await expect(page.getByRole('row', { name: /gift vouchers/ })).toBeVisible()
  await page.getByRole('link', { name: 'Write article gift vouchers' }).click()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('gift vouchers')
  await page.goBack()
  await page.getByRole('button', { name: 'Done gift vouchers' }).click()
  await expect(page.getByRole('row', { name: /gift vouchers/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('row', { name: /gift vouchers/ })).toBeVisible()
})
