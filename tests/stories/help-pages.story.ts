import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { call, expectNoFindings, PICTURE, type Scene, setScene } from './scene.ts'

let scene: Scene

const BODY = `Use a **damp** cloth. See [the shop](https://acme.test) and \`oil\`.

## Before you begin

> [!WARNING]
> Never use vinegar.

1. Dust it.
2. Wipe it.

| Wood | Oil | Days |
| --- | :-: | --: |
| Oak | Linseed | 2 |

\`\`\`
npm run polish
\`\`\`

### Afterwards

> Let it dry.

---
`

beforeAll(async () => {
  scene = await setScene()
  const send = async (method: string, path: string, body: object) =>
    (await call(scene.url, method, path, body, scene.token)).data
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(PICTURE)]), 'oak.png')
  const headers = { authorization: scene.token }
  const uploaded = await fetch(`${scene.url}/api/upload`, { method: 'POST', headers, body: form })
  const { data: picture } = await uploaded.json()
  const collect = async (en: string, ar: string, more: object = {}) => {
    const texts = { en: { name: en, description: `About ${en}` }, ar: { name: ar, description: '' } }
    return (await send('POST', '/api/article_collections', { collection: { texts, icon: '🪵', ...more } })).id as string
  }
  const around = await collect('Furniture', 'أثاث')
  const inside = await collect('Oak', 'بلوط', { parent_id: around, slug: 'oak' })
  const write = async (title: string, collection_id: string | null) => {
    const body = `${BODY}\n![Oiled oak](${picture.file_url})`
    const article = { language: 'en', title, summary: 'In five minutes.', body, collection_id }
    const { id } = await send('POST', '/api/articles', { article })
    await send('POST', `/api/articles/${id}/translations/en/publish`, {})
    return id as string
  }
  const id = await write('Cleaning oak', inside)
  await write('Oiling oak', inside)
  await write('Moving a table', around)
  await write('Opening hours', null)
  const translation = { title: 'تنظيف البلوط', summary: 'في خمس دقائق.', body: BODY, slug: 'cleaning-oak' }
  await send('PUT', `/api/articles/${id}/translations/ar`, { translation })
  await send('POST', `/api/articles/${id}/translations/ar/publish`, {})
  const help_center = {
    ...{ is_published: true, slug: 'acme', name: 'Acme Help', languages: ['en', 'ar'], color: '#1f6f5c' },
    ...{ contact_email: 'hi@acme.test', logo_file_id: picture.id },
    legal_links: [
      { label: 'Imprint', url: 'https://acme.test/imprint' },
      { label: 'Privacy', url: 'https://acme.test/privacy' },
    ],
  }
  await send('PUT', '/api/help_center', { help_center })
})
afterAll(() => scene.close())

/** Every kind of public page, below the language. */
const PAGES = {
  'the first page': '',
  'a collection with another one inside': '/collections/furniture',
  'a collection': '/collections/oak',
  'an article': '/articles/cleaning-oak',
  'an article that is not translated': '/articles/moving-a-table',
  'a search with results': '/search?q=oak',
  'a search without results': '/search?q=zebra',
  'a page that does not exist': '/articles/none',
}

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [390, 1440].flatMap((width) => ['en', 'ar'].map((language) => ({ colorScheme, width, language }))),
)

test.each(LOOKS)('two engines find nothing on public pages: $language, $colorScheme, $width pixels', async (look) => {
  const { colorScheme, width, language } = look
  const { page } = await openPage(scene.browser, { colorScheme, viewport: { width, height: 900 } })
  for (const [name, path] of Object.entries(PAGES)) {
    await page.goto(`${scene.url}/help/acme/${language}${path}`)
    const html = page.locator('html')
    await expect(html, name).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr')
    const overflow = await html.evaluate((root) => root.scrollWidth - root.clientWidth)
    expectValue(overflow, `${name} is wider than the window`).toBe(0)
    await expectNoFindings(page)
  }
  await page.goto(`${scene.url}/help/acme/${language}/articles/cleaning-oak`)
  await page.locator('.votes button').last().click()
  await expect(page.locator('textarea')).toBeVisible()
  await expectNoFindings(page)
  await page.locator('textarea').evaluate((box: HTMLTextAreaElement) => {
    box.removeAttribute('maxlength')
    box.value = 'x'.repeat(1_001)
  })
  await page.locator('.comment button').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoFindings(page)
})

test('without a script a reader searches, says that an article did not help, and what was missing', async () => {
  const { page } = await openPage(scene.browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
  await page.goto(`${scene.url}/help/acme`)
  await page.getByRole('searchbox').fill('claening oak')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Cleaning oak' }).click()
  await expect(page.getByRole('navigation', { name: 'Topics' })).toContainText('Oak')
  await page.getByRole('button', { name: 'No' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you for your answer.' })).toBeVisible()
  await page.getByRole('textbox', { name: 'What was missing?' }).fill('Which cloth?')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you. The authors will read it.' })).toBeVisible()
  const { data } = await call(scene.url, 'GET', '/api/help_gaps?kind=not_helpful', undefined, scene.token)
  expectValue(data[0].comments).toContain('Which cloth?')
})
