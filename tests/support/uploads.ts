import type { TestServer } from './server.ts'
import type { World } from './world.ts'

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Uploads a file in Ben's name. Returns its id. */
export async function upload(server: TestServer, world: World, filename: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(bytes)]), filename)
  form.set('account_id', world.acme.id)
  const headers = { authorization: world.ben.token }
  const stored = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers })
  return ((await stored.json()) as { data: { id: string } }).data.id
}
