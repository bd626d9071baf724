import sharp from 'sharp'
import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { destroyUnusedFiles } from '#server/features/conversations/files/files.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

const paint = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const test = base
  .extend('center', { scope: 'file' }, async ({ as }) => {
    const help_center = { is_published: true, slug: 'acme-social', color: '#204060' }
    await as.ada(helpCenter.update, { body: { help_center } })
    return '/help/acme-social'
  })
  .extend('upload', ({ server, world }) => async (bytes: Buffer) => {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(bytes)]), 'oak.png')
    const headers = { authorization: world.ben.token }
    const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', headers, body: form })
    return (await answer.json()).data as { id: string; file_url: string }
  })
  .extend('publish', ({ as, center: _ }) => async (title: string, body: string) => {
    const { data } = await as.ben(articles.create, { body: { article: { language: 'en', title, body } } })
    await as.ben(articles.publish, { params: { id: data.id, language: 'en' }, body: {} })
  })
  /** The address of the picture that other websites show for a page; undefined if it names none. */
  .extend('pictureOf', ({ server, center }) => async (path: string) => {
    const text = await (await fetch(`${server.url}${center}${path}`)).text()
    const url = /<meta property="og:image" content="([^"]+)">/.exec(text)?.[1]
    return url && server.url + new URL(url).pathname
  })

/** The color of a place in a picture. */
async function colorAt(bytes: Buffer, left: number, top: number): Promise<number[]> {
  return [...(await sharp(bytes).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer())]
}

test('beside a link to an article other websites show its first picture, made once', async ({
  server,
  upload,
  publish,
  pictureOf,
}) => {
  const [oak, other] = [await upload(await paint(1600, 900, '#aa3311')), await upload(await paint(900, 900, '#00ff00'))]
  await publish('Oak', `![](${oak.file_url}) ![](${other.file_url})`)
  const url = await pictureOf('/en/articles/oak')
  const answers = await Promise.all([fetch(url!), fetch(url!), fetch(url!)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const [answer] = answers
  expect(answer!.headers.get('content-type')).toBe('image/png')
  expect(answer!.headers.get('cache-control')).toBe('public, max-age=86400')
  const bytes = Buffer.from(await answer!.arrayBuffer())
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect(await colorAt(bytes, 5, 5)).toEqual([0xaa, 0x33, 0x11])
  const again = await fetch(url!, { headers: { 'if-none-match': answer!.headers.get('etag')! } })
  expect(again.status).toBe(304)
  const { db } = server.context
  expect(await db.selectFrom('files').select('id').where('made_from', '=', oak.id).execute()).toHaveLength(1)
})

test('small pictures and logos stand on the color of the help center, and another color makes another picture', async ({
  as,
  server,
  center,
  upload,
  publish,
  pictureOf,
}) => {
  await publish('Plain', 'Text')
  expect(await pictureOf('/en')).toBeUndefined()
  expect(await pictureOf('/en/articles/plain')).toBeUndefined()
  const logo = await upload(await paint(300, 100, '#ffffff'))
  await as.ada(helpCenter.update, { body: { help_center: { logo_file_id: logo.id } } })
  await expect.poll(() => pictureOf('/en/articles/plain')).toContain(logo.id)
  const load = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
  const first = await load((await pictureOf('/en'))!)
  expect([await colorAt(first, 5, 5), await colorAt(first, 600, 315)]).toEqual([
    [0x20, 0x40, 0x60],
    [255, 255, 255],
  ])
  await as.ada(helpCenter.update, { body: { help_center: { color: '#602040' } } })
  await expect.poll(() => pictureOf('/en')).toContain('602040')
  expect(await colorAt(await load((await pictureOf('/en'))!), 5, 5)).toEqual([0x60, 0x20, 0x40])

  // The one with the older color is an unused file from then on; the other lasts as long as the logo.
  const { db } = server.context
  const made = () =>
    db.selectFrom('files').select(['made_from', 'made_as']).where('filename', '=', 'social.png').execute()
  expect((await made()).filter(({ made_from }) => made_from === logo.id)).toEqual([
    { made_from: logo.id, made_as: '#602040' },
  ])
  await db
    .updateTable('files')
    .set({ created_at: new Date(0).toISOString() })
    .where('filename', '=', 'social.png')
    .execute()
  await destroyUnusedFiles(server.context)
  expect((await made()).map(({ made_as }) => made_as)).not.toContain(null)
  expect((await made()).some(({ made_from }) => made_from === logo.id)).toBe(true)
  expect((await fetch(`${server.url}${center}/social/${logo.id}-602040.png`)).status).toBe(200)
})

test('nothing is made of files that readers may not see, nor of those that are no pictures', async ({
  as,
  server,
  center,
  upload,
  publish,
}) => {
  const hidden = await upload(await paint(800, 500, '#123456'))
  const article = { language: 'en', title: 'Draft', body: `![](${hidden.file_url})` }
  await as.ben(articles.create, { body: { article } })
  const text = await upload(Buffer.from('no picture'))
  await publish('Linked', `[a text](${text.file_url})`)
  for (const id of [hidden.id, text.id, crypto.randomUUID(), 'no-id']) {
    expect((await fetch(`${server.url}${center}/social/${id}-204060.png`)).status, id).toBe(404)
  }
})
