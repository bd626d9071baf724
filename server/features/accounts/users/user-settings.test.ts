import { userSettings } from '#contract/accounts/user-settings.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { type Caller, expect, refusalOf, test } from '#tests/support/fixture.ts'
import { languageOf } from './user-settings.ts'

const read = (who: Caller) => who(userSettings.get)
const save = (who: Caller, user_settings: BodyInput<typeof userSettings.update>['user_settings']) =>
  who(userSettings.update, { body: { user_settings } })

test('by default e-mail alerts are off and all screen notifications are on', async ({ as, world }) => {
  const { data } = await read(as.ada)
  expect(data).toMatchObject({
    object: 'user_settings',
    user_id: world.ada.id,
    email_alert_on_new_message: false,
    email_alert_on_new_conversation: false,
    expo_push_token: null,
    notify_about: ['all'],
    notification_sound: true,
  })
})

test('ten concurrent first reads create one row', async ({ as }) => {
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await read(as.olga)).data.id))
  expect(new Set(ids).size).toBe(1)
})

test('an update changes only the given fields, and only one’s own settings', async ({ as }) => {
  await save(as.ada, { email_alert_on_new_message: true, notify_about: ['mine', 'mentions'] })
  await save(as.ada, { notification_sound: false, email_alert_on_new_message: null })
  expect((await read(as.ada)).data).toMatchObject({
    email_alert_on_new_message: true,
    notify_about: ['mine', 'mentions'],
    notification_sound: false,
  })
  expect((await read(as.ben)).data).toMatchObject({ notify_about: ['all'], notification_sound: true })
})

test('an unknown kind of notification is refused by its name', async ({ as }) => {
  const { status, errors } = await refusalOf(save(as.ada, { notify_about: ['everything' as never] }))
  expect(status).toBe(422)
  expect(JSON.stringify(errors)).toContain('notify_about')
})

test('a language is one that the dashboard has, and one that it lost is replaced by English in mails', async ({
  as,
  server,
  world,
}) => {
  expect((await save(as.ada, { language: 'vi', label_language: 'en' })).data).toMatchObject({ language: 'vi' })
  const { errors } = await refusalOf(save(as.ada, { language: 'tlh' }))
  expect(errors).toMatchObject({ language: [expect.stringMatching(/^should be one of .*en.*vi/)] })
  expect(await refusalOf(save(as.ada, { label_language: '../en' }))).toMatchObject({ status: 422 })
  const { id, account_id } = world.ada
  const { db } = server.context
  const stored = db.updateTable('user_settings').set({ language: 'tlh' })
  await stored.where('account_id', '=', account_id).where('user_id', '=', id).execute()
  expect((await read(as.ada)).data.language).toBe('tlh')
  expect(await languageOf(db, account_id, id)).toBe('en')
})
