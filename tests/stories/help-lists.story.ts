import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await setScene()
})
afterAll(() => scene.close())

const send = (method: string, path: string, body?: object) => call(scene.url, method, path, body, scene.token)
const PHONE = { viewport: { width: 390, height: 844 } }

test('an admin puts a collection inside another one, where readers find it, and one that contains others stays at the top', async () => {
  const { data: lamps } = await send('POST', '/api/article_collections', {
    collection: { texts: { en: { name: 'Lamps' } } },
  })
  await send('POST', '/api/article_collections', { collection: { texts: { en: { name: 'Tables' } } } })
  const { page, faults } = await openSignedIn(scene, '/help-center/collections', PHONE)
  await page.getByRole('button', { name: 'New collection' }).first().click()
  const created = page.getByRole('dialog', { name: 'New collection' })
  await created.getByRole('textbox', { name: 'Name' }).fill('Oak lamps')
  await created.getByRole('combobox', { name: 'Inside' }).selectOption('Lamps')
  await created.getByRole('button', { name: 'Save' }).click()
  await expect(created).toHaveCount(0)
  await expect(page.getByRole('cell', { name: 'Oak lamps' }).first()).toBeVisible()
  await expectNoFindings(page)

  await page.getByRole('button', { name: 'Edit Lamps', exact: true }).click()
  const edited = page.getByRole('dialog', { name: 'Edit collection' })
  await expect(edited.getByRole('combobox', { name: 'Inside' })).toBeDisabled()
  await expect(edited).toContainText('It contains other collections. Move these first.')
  await edited.getByRole('button', { name: 'Cancel' }).click()

  const { data: collections } = await send('GET', '/api/article_collections')
  const oak = collections.find((collection: { parent_id: string | null }) => collection.parent_id === lamps.id)
  const article = { language: 'en', title: 'Oiling oak', body: 'Use a cloth.', collection_id: oak.id }
  const { data } = await send('POST', '/api/articles', { article })
  await send('POST', `/api/articles/${data.id}/translations/en/publish`, {})
  await send('PUT', '/api/help_center', { help_center: { is_published: true, slug: 'lists' } })
  await page.goto(`${scene.url}/help/lists/en`)
  await page
    .getByRole('link', { name: /^Lamps/ })
    .first()
    .click()
  await page
    .getByRole('link', { name: /Oak lamps/ })
    .first()
    .click()
  await page.getByRole('link', { name: /Oiling oak/ }).click()
  const path = page.getByRole('navigation').filter({ hasText: 'Oak lamps' })
  await expect(path).toContainText('Lamps')
  expectValue(faults).toEqual([])
})

test('articles are listed by state, each state with its number, which the address keeps and arrow keys choose', async () => {
  const create = async (title: string) => {
    const { data } = await send('POST', '/api/articles', { article: { language: 'en', title, body: 'Text' } })
    return data.id as string
  }
  await create('Only a draft')
  const changed = await create('Published and changed')
  await send('POST', `/api/articles/${changed}/translations/en/publish`, {})
  const { data } = await send('GET', `/api/articles/${changed}`)
  const [{ version }] = data.translations
  const translation = { title: 'Published and changed', summary: '', body: 'New text', version }
  await send('PUT', `/api/articles/${changed}/translations/en`, { translation })
  const { page, faults } = await openSignedIn(scene, '/help-center/articles')
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) })
  const { data: counts } = await send('GET', '/api/articles/counts')
  await expect(tab('All')).toHaveText(`All${counts.all}`)
  await expect(tab('Draft')).toHaveText('Draft1')
  await expect(tab('Unpublished changes')).toHaveText('Unpublished changes1')
  await tab('Draft').click()
  await expect(page.getByRole('row', { name: /Only a draft/ })).toBeVisible()
  await expect(page.getByRole('row', { name: /Published and changed/ })).toHaveCount(0)
  await tab('Draft').press('ArrowRight')
  await expect(tab('Published')).toBeFocused()
  await tab('Published').press('ArrowRight')
  await expect(page.getByRole('row', { name: /Published and changed/ })).toBeVisible()
  await expect(page).toHaveURL(/state=changed/)
  await page.reload()
  await expect(tab('Unpublished changes')).toHaveAttribute('aria-selected', 'true')
  // What changes elsewhere changes the numbers here.
  await create('Another draft')
  await expect(tab('Draft')).toHaveText('Draft2')
  await expectNoFindings(page)
  await page.setViewportSize(PHONE.viewport)
  await expect(tab('Unpublished changes')).toBeVisible()
  await expectNoFindings(page)
  expectValue(faults).toEqual([])
})
