import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'

let server: TestServer
let world: World
beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

const read = (token: string) => server.request('GET', '/api/user_settings', { token })
const save = (token: string, user_settings: object) =>
  server.request('PUT', '/api/user_settings', { token, body: { user_settings } })

test('e-mail alerts are off and the screen tells of everything until somebody says otherwise', async () => {
  const { body } = await read(world.ada.token)
  expect(body.data).toMatchObject({
    object: 'user_settings',
    user_id: world.ada.id,
    email_alert_on_new_message: false,
    email_alert_on_new_conversation: false,
    expo_push_token: null,
    notify_about: ['all'],
    notification_sound: true,
  })
})

test('ten first looks at once make one row', async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await read(world.olga.token)).body.data.id))
  expect(new Set(ids).size).toBe(1)
})

test('a change touches what it names, and one’s own settings only', async () => {
  await save(world.ada.token, { email_alert_on_new_message: true, notify_about: ['mine', 'mentions'] })
  await save(world.ada.token, { notification_sound: false, email_alert_on_new_message: null })
  expect((await read(world.ada.token)).body.data).toMatchObject({
    email_alert_on_new_message: true,
    notify_about: ['mine', 'mentions'],
    notification_sound: false,
  })
  expect((await read(world.ben.token)).body.data).toMatchObject({ notify_about: ['all'], notification_sound: true })
})

test('an unknown kind of news is refused by its name', async () => {
  const { status, body } = await save(world.ada.token, { notify_about: ['everything'] })
  expect(status).toBe(422)
  expect(JSON.stringify(body.error.errors)).toContain('notify_about')
})
