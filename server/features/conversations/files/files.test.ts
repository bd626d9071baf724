import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type S3Server, startS3 } from '#tests/support/s3-server.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { destroyUnusedFiles } from './files.ts'

const photo = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a6' } })
    .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 22/1 0/1' }, IFD0: { Copyright: 'gps-canary' } })
    .jpeg()
    .toBuffer()

describe.each(['disk', 's3'])('files on %s', (storage) => {
  let server: TestServer
  let world: World
  let s3: S3Server | undefined

  beforeAll(async () => {
    if (storage === 's3') s3 = await startS3()
    server = await startTestServer({ ...s3?.settings, BASE_URL: 'https://chat.acme.test' })
    world = await createWorld(server)
  })
  afterAll(async () => {
    await server.close()
    await s3?.stop()
  })

  async function upload(bytes: Buffer | string, name: string, token?: string, account_id = world.acme.id) {
    const form = new FormData()
    form.append('account_id', account_id)
    form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))], { type: 'image/svg+xml' }), name)
    const answer = await fetch(`${server.url}/api/upload`, {
      method: 'POST',
      body: form,
      headers: token ? { authorization: token } : {},
    })
    return { status: answer.status, body: (await answer.json()) as ReturnType<typeof JSON.parse> }
  }
  const fetchFile = (file_url: string) => fetch(file_url.replace('https://chat.acme.test', server.url))

  test('a photo loses its location, keeps its type, and is shown inline', async () => {
    const bytes = await photo()
    expect(bytes.includes('gps-canary')).toBe(true)
    const { status, body } = await upload(bytes, 'My Holiday.jpg', world.carla.token)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ object: 'file', content_type: 'image/jpeg', filename: 'My-Holiday.jpg' })
    expect(body.data).toMatchObject({ width: 40, height: 20 })
    expect(body.data.file_url).toMatch(/^https:\/\/chat\.acme\.test\/files\/[0-9a-f-]{36}\/My-Holiday\.jpg$/)
    const answer = await fetchFile(body.data.file_url)
    const stored = Buffer.from(await answer.arrayBuffer())
    expect(answer.headers.get('content-disposition')).toMatch(/^inline/)
    expect(stored.includes('gps-canary')).toBe(false)
    expect((await sharp(stored).metadata()).exif).toBeUndefined()
  })

  test('an unused file is deleted after a day, unless it is in a draft or somebody’s picture', async () => {
    const [unused, sent, drafted, face] = await Promise.all(
      ['unused', 'sent', 'drafted', 'face'].map(
        async (name) => (await upload(name, `${name}.txt`, world.ada.token)).body.data,
      ),
    )
    const { conversation_id } = await startConversation(server, world.carla)
    const message = { conversation_id, file_ids: [sent.id] }
    await server.request('POST', '/api/messages', { token: world.ada.token, body: { message } })
    const draft = { body: 'see', type: 'reply', file_ids: [drafted.id], revision: 1 }
    const path = `/api/conversations/${conversation_id}/draft`
    expect((await server.request('PUT', path, { token: world.ada.token, body: { draft } })).status).toBe(200)
    const user_profile = { profile_photo_url: face.file_url }
    await server.request('PUT', '/api/profile', { token: world.ada.token, body: { user_profile } })
    const isThere = ({ file_url }: { file_url: string }) => fetchFile(file_url).then(({ status }) => status === 200)
    const age = (hours: number) =>
      server.context.db
        .updateTable('files')
        .set({ created_at: new Date(Date.now() - hours * 3_600_000).toISOString() })
        .where('id', 'in', [unused.id, sent.id, drafted.id, face.id])
        .execute()
    await age(23)
    await destroyUnusedFiles(server.context)
    expect(await Promise.all([unused, sent, drafted].map(isThere))).toEqual([true, true, true])
    await age(25)
    await destroyUnusedFiles(server.context)
    expect(await Promise.all([unused, sent, drafted, face].map(isThere))).toEqual([false, true, true, true])
    const unattached = server.context.db.selectFrom('files').select('id').where('attached_at', 'is', null)
    const looked_at_again = await unattached.where('id', 'in', [sent.id, drafted.id]).execute()
    expect(looked_at_again).toEqual([{ id: drafted.id }])
  })

  test('a blocked customer cannot upload', async () => {
    const visitor = await startVisitor(server, world.acme.id)
    expect((await upload('before', 'x.txt', visitor.token)).status).toBe(201)
    await server.request('POST', `/api/customers/${visitor.customer_id}/block`, { token: world.ada.token })
    const { status, body } = await upload('after', 'x.txt', visitor.token)
    expect([status, body.error.message]).toEqual([403, 'This conversation no longer accepts messages.'])
  })

  test.each(['../outside', 'a/../../outside', '/etc/passwd', 'a//b', 'a/b.txt', ''])(
    'a crafted key such as %j leads nowhere',
    async (key) => {
      const { files } = server.context
      await expect(files.put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow('is not the key of a file')
      await expect(files.get(key)).rejects.toThrow('is not the key of a file')
      await expect(files.remove(key)).rejects.toThrow('is not the key of a file')
    },
  )

  test('markup is never served as such, whatever its name', async () => {
    for (const [text, name] of [
      ['<script>alert(1)</script>', 'x.html'],
      ['<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>', 'x.svg'],
    ] as const) {
      const { body } = await upload(text, name)
      const answer = await fetchFile(body.data.file_url)
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain|^application\/octet-stream/)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
      expect(answer.headers.get('content-security-policy')).toContain('sandbox')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      await answer.arrayBuffer()
    }
  })

  test('pictures and films that are stored as they are lose the place where they were taken', async () => {
    const picture = sharp({ create: { width: 40, height: 20, channels: 3, background: '#0a6' } }).withExif({
      IFD0: { Copyright: 'kept-copyright' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 22/1 1234567/89', GPSDateStamp: '2026:11:26' },
    })
    const box = (type: string, body: Buffer) => {
      const size = Buffer.alloc(4)
      size.writeUInt32BE(body.length + 8)
      return Buffer.concat([size, Buffer.from(type, 'latin1'), body])
    }
    const film = Buffer.concat([
      box('ftyp', Buffer.from('qt  \0\0\0\0qt  ')),
      box('moov', box('udta', box('\u00a9xyz', Buffer.from('\0\x12\x15\xc7+52.3702+004.8952/', 'latin1')))),
    ])
    // A directory with a pointer to that of the place, which has one entry with three fractions.
    const scan = Buffer.alloc(68)
    scan.write('II*\0\x08', 'latin1')
    for (const [at, tag, type, count, value] of [
      [10, 0x8825, 4, 1, 26],
      [28, 2, 5, 3, 44],
    ] as const) {
      scan.writeUInt16LE(1, at - 2)
      scan.writeUInt16LE(tag, at)
      scan.writeUInt16LE(type, at + 2)
      scan.writeUInt32LE(count, at + 4)
      scan.writeUInt32LE(value, at + 8)
    }
    scan.write('52.3702', 44)
    const rational = Buffer.from([135, 214, 18, 0, 89, 0, 0, 0])
    for (const [name, bytes, type] of [
      ['a.avif', await picture.avif().toBuffer(), 'image/avif'],
      ['a.tiff', scan, 'image/tiff'],
      ['a.mov', film, 'video/quicktime'],
    ] as const) {
      const { body } = await upload(bytes, name, world.carla.token)
      expect(body.data.content_type).toBe(type)
      const stored = Buffer.from(await (await fetchFile(body.data.file_url)).arrayBuffer())
      expect(stored.length).toBe(bytes.length)
      expect(stored.equals(bytes), name).toBe(false)
      expect(stored.includes('52.3702'), name).toBe(false)
      expect(stored.includes('2026:11:26'), name).toBe(false)
      expect(stored.includes(rational), name).toBe(false)
      if (name === 'a.avif') expect((await sharp(stored).metadata()).width, 'still readable').toBe(40)
    }
  })

  test('a name hides nothing: marks of the writing direction and characters without width are removed', async () => {
    const { body } = await upload('x', 'invoice\u202efdp\u200b.exe')
    expect(body.data.filename).toBe('invoicefdp.exe')
    const { body: visit } = await server.request('PUT', '/api/profile', {
      token: world.ben.token,
      body: { user_profile: { full_name: 'A\u202eda\u2066', display_name: 'B\u200ben' } },
    })
    expect(visit.data).toMatchObject({ full_name: 'Ada', display_name: 'Ben' })
    const visitor = await startVisitor(server, world.acme.id, { name: 'Car\u202ela \u{1f469}\u200d\u{1f4bb}' })
    const { body: shown } = await server.request('GET', `/api/customers/${visitor.customer_id}`, {
      token: world.ada.token,
    })
    expect(shown.data.name).toBe('Carla \u{1f469}\u200d\u{1f4bb}')
  })

  test('a file attached to a message is visible to both sides', async () => {
    const { conversation_id } = await startConversation(server, world.carla)
    const { body: file } = await upload(await photo(), 'lamp.jpg', world.carla.token)
    const sent = await server.request('POST', '/api/messages', {
      token: world.carla.token,
      body: { message: { conversation_id, body: '', file_ids: [file.data.id] } },
    })
    expect(sent.body.data.attachments).toEqual([file.data])
    const read = await server.request('GET', `/api/conversations/${conversation_id}`, { token: world.ada.token })
    expect(read.body.data.messages.at(-1).attachments).toEqual([file.data])
  })

  test('a file of another account cannot be attached', async () => {
    const { conversation_id } = await startConversation(server, world.carla)
    const { body: foreign } = await upload('hello', 'a.txt', undefined, world.other.id)
    const answer = await server.request('POST', '/api/messages', {
      token: world.ada.token,
      body: { message: { conversation_id, body: 'x', file_ids: [foreign.data.id] } },
    })
    expect(answer.body.error.errors).toEqual({ file_ids: ['does not exist'] })
  })

  test('a missing, empty or too large file is refused', async () => {
    expect((await upload('', 'empty.txt')).body.error.message).toContain('Invalid or malformed file')
    const noFile = await server.request('POST', '/api/upload', { body: { account_id: world.acme.id, file: 'text' } })
    expect(noFile.status).toBe(422)
    expect((await upload(Buffer.alloc(8_100_000), 'big.bin')).status).toBe(413)
    expect((await upload('x', 'x.txt', undefined, 'nobody')).body.error.errors).toEqual({
      account_id: ['does not exist'],
    })
  })

  test('a part of a film is served as such, because Safari plays nothing without it', async () => {
    const { body } = await upload('0123456789', 'film.mp4', world.carla.token)
    const address = body.data.file_url.replace('https://chat.acme.test', server.url)
    const part = async (range: string) => {
      const answer = await fetch(address, { headers: { range } })
      return [answer.status, answer.headers.get('content-range'), await answer.text()]
    }
    expect(await part('bytes=0-1')).toEqual([206, 'bytes 0-1/10', '01'])
    expect(await part('bytes=4-')).toEqual([206, 'bytes 4-9/10', '456789'])
    expect(await part('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789'])
    expect(await part('bytes=8-99')).toEqual([206, 'bytes 8-9/10', '89'])
    expect(await part('bytes=10-')).toEqual([416, 'bytes */10', ''])
    for (const whole of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=x'])
      expect(await part(whole)).toEqual([200, null, '0123456789'])
    expect((await fetch(address)).headers.get('accept-ranges')).toBe('bytes')
  })

  test('an unknown file is not found', async () => {
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x']) {
      expect((await fetch(`${server.url}/files/${id}/x.txt`)).status).toBe(404)
    }
  })
})

test('uploads can be switched off, or allowed for some accounts only', async () => {
  const server = await startTestServer({ FILE_UPLOADS: '00000000-0000-4000-8000-000000000000' })
  const world = await createWorld(server)
  const form = new FormData()
  form.append('account_id', world.acme.id)
  form.append('file', new Blob(['x']), 'x.txt')
  const answer = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form })
  expect(answer.status).toBe(403)
  await answer.arrayBuffer()
  await server.close()
})

test('uploads are limited per visitor, network and account, counted before they are read', async () => {
  const server = await startTestServer({ RATE_LIMITS: 'on', TRUST_PROXY: '1' })
  const world = await createWorld(server)
  const upload = async (address: string, token?: string) => {
    const form = new FormData()
    form.append('account_id', world.acme.id)
    form.append('file', new Blob([new Uint8Array(7_500_000)]), 'large.bin')
    const headers = { 'x-forwarded-for': address, ...(token && { authorization: token }) }
    return (await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers })).status
  }
  const first = []
  for (let i = 0; i < 5; i++) first.push(await upload('203.0.113.1'))
  expect(first.slice(0, 5)).toEqual([201, 201, 201, 201, 429])
  expect(await upload('203.0.113.2'), 'another network').toBe(201)
  const visitor = []
  for (let i = 0; i < 5; i++) visitor.push(await upload(`198.51.100.${i}`, world.carla.token))
  expect(visitor.slice(0, 5)).toEqual([201, 201, 201, 201, 429])
  expect(await upload('203.0.113.1', world.ada.token), 'the team has allowances of its own').toBe(201)
  await server.close()
})
