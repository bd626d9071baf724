import { join, resolve } from 'node:path'
import sharp from 'sharp'
import { expect, test } from '#tests/support/fixture.ts'

/** Files that the build copies as they are. */
const PUBLIC = resolve(import.meta.dirname, '../../../../dashboard/public')

interface Icon {
  src: string
  sizes: string
  type: string
  purpose?: string
}

test('the dashboard is an app that browsers install: its manifest, cached shortly, has an icon of each size', async ({
  server,
}) => {
  const { status, headers, body } = await server.request('GET', '/manifest.webmanifest')
  expect(status).toBe(200)
  expect(headers['content-type']).toContain('application/manifest+json')
  expect(headers['cache-control']).toBe('public, max-age=300')
  expect(body).toMatchObject({ id: '/', scope: '/', start_url: '/', display: 'standalone', name: 'Parley' })
  const { icons } = body as { icons: Icon[] }
  expect(icons.map(({ sizes, purpose }) => [sizes, purpose])).toEqual([
    ['192x192', undefined],
    ['512x512', undefined],
    ['512x512', 'maskable'],
  ])
  for (const { src, sizes } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const { format, width, height } = await sharp(join(PUBLIC, src)).metadata()
    expect([format, `${width}x${height}`], src).toEqual(['png', sizes])
  }
})

test('its shortcuts are in the language of the browser, and English without one that there are texts in', async ({
  server,
}) => {
  const namesIn = async (language: string) => {
    const { body } = await server.request('GET', '/manifest.webmanifest', { headers: { 'accept-language': language } })
    return [body.lang, body.dir, ...body.shortcuts.map(({ name }: { name: string }) => name)]
  }
  expect(await namesIn('de-AT,de;q=0.9,en;q=0.8')).toEqual(['de', 'ltr', 'Mir zugewiesen', 'Unzugewiesen'])
  expect((await namesIn('ar'))[1]).toBe('rtl')
  expect(await namesIn('tlh, ;;,')).toEqual(['en', 'ltr', 'Assigned to me', 'Unassigned'])
})
