import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openDashboard, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene
let carla_id: string

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)

beforeAll(async () => {
  scene = await setScene()
  const customer = { name: 'Carla Reyes', email: 'carla@customer.test' }
  carla_id = (await send('POST', '/api/customers', { customer })).data.id
})
afterAll(() => scene.close())

test('an issue is created, linked to a customer, edited and deleted', async () => {
  const ada = await openSignedIn(scene, '/issues')
  const other = await openSignedIn(scene, '/issues')
  const { page } = ada
  for (const each of [page, other.page])
    await expect(each.getByRole('heading', { name: 'Issues (beta)' })).toBeVisible()
  await page.getByRole('button', { name: 'New issue' }).click()
  let dialog = page.getByRole('dialog')
  await dialog.getByLabel('Title').fill('Lamp flickers')
  await dialog.getByLabel('GitHub URL').fill('github.com/acme')
  await expect(dialog.getByText('a link looks like github.com/my/repo/issues/123')).toBeVisible()
  await dialog.getByLabel('GitHub URL').fill('https://github.com/acme/shop/issues/12')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Lamp flickers' })).toBeVisible()
  await expect(page.getByText('No description')).toBeVisible()
  await expect(page.getByRole('link', { name: 'acme/shop/issues/12', exact: true })).toBeVisible()
  await expect(other.page.getByRole('region', { name: 'Unfinished' })).toContainText('Lamp flickers')

  await page.getByRole('button', { name: 'Link a customer' }).click()
  dialog = page.getByRole('dialog')
  await dialog.getByLabel('Customer').fill('carla')
  await page.getByRole('option', { name: 'Carla Reyes (carla@customer.test)', exact: true }).click()
  await dialog.getByRole('button', { name: 'Link', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Carla Reyes' })).toBeVisible()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  dialog = page.getByRole('dialog')
  await dialog.getByLabel('Status').click()
  await page.getByRole('option', { name: 'Done', exact: true }).click()
  // Saving one field does not overwrite what a colleague has changed meanwhile.
  await send('PUT', `/api${new URL(page.url()).pathname}`, { issue: { body: 'Only on Mondays.' } })
  await expect(page.getByText('Only on Mondays.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('Only on Mondays.')).toBeVisible()
  await expect(other.page.getByRole('region', { name: 'Recently done' })).toContainText('Lamp flickers')

  await page.getByRole('button', { name: 'Delete issue' }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByText(/successfully deleted\.$/)).toBeVisible()
  await expect(page).toHaveURL(/\/issues$/)
  await expect(other.page.getByText('Lamp flickers')).toHaveCount(0)
  await page.goto(`${scene.url}/issues/${carla_id}`)
  await expect(page.getByRole('heading', { name: 'Error retrieving issue' })).toBeVisible()
  expect([...ada.faults, ...other.faults].filter((fault) => !/^Not saved|404/.test(fault))).toEqual([])
})

test('tags are searched, created, changed and deleted, and show who has them', async () => {
  const { page, faults } = await openSignedIn(scene, '/tags')
  await expect(page.getByRole('heading', { name: 'No tags yet' })).toBeVisible()
  await page.getByRole('button', { name: 'New tag' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('trade')
  await dialog.getByLabel('Description').fill('Buys for others')
  await dialog.getByRole('radio', { name: 'Purple' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('link', { name: 'trade' })).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search tags...' })
  await search.fill('OTHERS tra')
  await expect(page.getByRole('link', { name: 'trade' })).toBeVisible()
  await search.fill('others vip')
  await expect(page.getByRole('heading', { name: 'No tag found' })).toBeVisible()
  await search.fill('')
  const tag = (await send('GET', '/api/tags')).data[0]
  await send('POST', `/api/customers/${carla_id}/tags`, { tag_id: tag.id })
  await page.getByRole('link', { name: 'trade' }).click()
  await expect(page.getByRole('button', { name: 'Carla Reyes' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to all tags' }).click()
  await page.getByRole('button', { name: 'Delete trade' }).click()
  await page.getByRole('button', { name: 'Yes', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No tags yet' })).toBeVisible()
  await page.goto(`${scene.url}/tags/${tag.id}`)
  await expect(page.getByRole('heading', { name: 'Error retrieving tag' })).toBeVisible()
  expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
})

test('a long list shows a part, more on request, and its search covers all of it', async () => {
  const names = [...Array.from({ length: 59 }, (_unused, at) => `batch ${at}`), 'batch of zebras']
  const made = await Promise.all(names.map((name) => send('POST', '/api/tags', { tag: { name } })))
  const { page, faults } = await openSignedIn(scene, '/tags')
  const rows = page.getByRole('link', { name: /^batch/ })
  await expect(rows).toHaveCount(50)
  await page.getByRole('searchbox').fill('zebra')
  await expect(rows).toHaveCount(1)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Show more (10 left)' }).click()
  await expect(rows).toHaveCount(60)
  const headers = { authorization: scene.token }
  await Promise.all(made.map(({ data }) => fetch(`${scene.url}/api/tags/${data.id}`, { method: 'DELETE', headers })))
  await expect(rows).toHaveCount(0)
  expect(faults).toEqual([])
})

test('notes are grouped by day and customer, and a colleague’s note appears by itself', async () => {
  const { page, faults } = await openSignedIn(scene, '/notes')
  await expect(page.getByRole('heading', { name: 'No notes' })).toBeVisible()
  await expect(page.getByText("You haven't written any customer notes yet!")).toBeVisible()
  const note = (await send('POST', '/api/notes', { note: { customer_id: carla_id, body: 'Prefers **oak**' } })).data
  await expect(page.getByText('Prefers oak')).toBeVisible()
  const day = new Intl.DateTimeFormat('en-US', { month: 'long', day: '2-digit', year: 'numeric', timeZone: 'UTC' })
  await expect(page.getByRole('region', { name: day.format(new Date(note.created_at)) })).toBeVisible()
  await page.getByRole('link', { name: 'Carla Reyes' }).click()
  await expect(page).toHaveURL(new RegExp(`/customers/${carla_id}\\?tab=notes$`))
  await expect(page.getByRole('tab', { name: 'Notes' })).toHaveAttribute('aria-selected', 'true')
  expect(faults).toEqual([])
})

test.each([
  ['light and wide', { viewport: { width: 1440, height: 900 }, colorScheme: 'light' }],
  ['dark and narrow', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
] as const)(
  'axe finds nothing on any screen of this area and in any of its windows, %s',
  { timeout: 120_000 },
  async (_, options) => {
    const { page, faults } = await openDashboard(scene, options)
    const ids = await fillArea()
    for (const [path, shown, ...windows] of screensOf(ids)) {
      await page.evaluate(goTo, path)
      await expect(page.getByRole('main').getByText(shown).first()).toBeVisible()
      await expectNoFindings(page, 'main')
      for (const [button, ...then] of windows) {
        await page.getByRole('button', { name: button!, exact: true }).click()
        for (const item of then) await page.getByRole('menuitem', { name: item }).click()
        await expect(page.getByRole('dialog')).toBeVisible()
        await expectNoFindings(page, '[role="dialog"]')
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toBeHidden()
      }
    }
    expect(faults).toEqual([])
  },
)

/** The address, a text that shows once it has loaded, and the buttons, or menus with their items, that open dialogs. */
const screensOf = ({ company, tag, issue }: Record<string, string>): [string, string, ...string[][]][] => [
  ['/customers?q=carla', 'carla@customer.test', ['New customer'], ['Import'], ['Save filter']],
  [
    `/customers/${carla_id}`,
    'Basic',
    ['Edit'],
    ['More actions', 'Merge a duplicate'],
    ['More actions', 'Delete customer'],
    ['More actions', 'Erase everything'],
  ],
  [`/customers/${carla_id}?tab=notes`, 'Prefers oak'],
  [`/customers/${carla_id}?tab=issues`, 'Door sticks', ['Link an issue']],
  ['/companies', 'Harbour Studio'],
  ['/companies/new', 'Create company'],
  [`/companies/${company}`, 'carla@customer.test', ['Carla Reyes']],
  [`/companies/${company}/edit`, 'Can be chosen once Slack is connected.'],
  ['/tags', 'wood', ['New tag'], ['Edit wood']],
  [`/tags/${tag}`, 'carla@customer.test', ['Edit']],
  ['/issues', 'Unfinished', ['New issue']],
  [`/issues/${issue}`, 'carla@customer.test', ['Link a customer'], ['Edit']],
  ['/notes', 'Prefers oak'],
]

/** Runs in the page: navigates as a link does, which is faster than loading everything again. */
function goTo(path: string) {
  history.pushState(null, '', path)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** Creates one of each, with Carla in it, unless it exists already. */
async function fillArea(): Promise<Record<string, string>> {
  const existing = (await send('GET', '/api/tags')).data[0]
  const tag = existing ?? (await send('POST', '/api/tags', { tag: { name: 'wood', color: 'red' } })).data
  const company = (await send('POST', '/api/companies', { company: { name: 'Harbour Studio' } })).data
  const issue = (await send('POST', '/api/issues', { issue: { title: 'Door sticks', customer_id: carla_id } })).data
  await send('POST', `/api/customers/${carla_id}/tags`, { tag_id: tag.id })
  await send('PUT', `/api/customers/${carla_id}`, { customer: { company_id: company.id } })
  await send('POST', '/api/notes', { note: { customer_id: carla_id, body: 'Prefers **oak**' } })
  return { tag: tag.id, company: company.id, issue: issue.id }
}
