import { drafts } from '#contract/conversations/drafts.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'
import { pruneEmptiedDrafts } from './drafts.ts'

type SavedDraft = BodyInput<typeof drafts.save>['draft']

const test = base
  .extend('conversation_id', { scope: 'file' }, async ({ world, server }) => {
    return (await startConversation(server, world.carla)).conversation_id
  })
  .extend('read', ({ as, conversation_id: id }) => async (who = as.ada) => {
    return (await who(drafts.get, { params: { id } })).data
  })
  .extend(
    'save',
    ({ as, conversation_id: id }) =>
      (draft: Omit<SavedDraft, 'type'> & Partial<SavedDraft>, who = as.ada) => {
        return who(drafts.save, { params: { id }, body: { draft: { type: 'reply', ...draft } } })
      },
  )

test('a draft follows its author, with its kind, mentions and files, and nobody else sees it', async ({
  as,
  world,
  server,
  save,
  read,
}) => {
  const form = new FormData()
  form.append('file', new Blob(['lamp']), 'lamp.txt')
  const upload = await fetch(`${server.url}/api/upload`, {
    method: 'POST',
    headers: { authorization: world.ada.token },
    body: form,
  })
  const { data: file } = await upload.json()
  await save({
    body: 'Half a sen',
    type: 'note',
    mentioned_user_ids: [world.ben.id],
    file_ids: [file.id],
    revision: 10,
  })
  expect(await read()).toMatchObject({
    body: 'Half a sen',
    type: 'note',
    mentioned_user_ids: [world.ben.id],
    files: [{ id: file.id, filename: 'lamp.txt', size: 4 }],
    revision: 10,
  })
  expect(await read(as.ben)).toBeNull()
})

test('of two devices the last write wins, whichever arrives last', async ({ save, read }) => {
  await save({ body: 'newer', revision: 30 })
  const late = await save({ body: 'older', revision: 20 })
  expect(late.data).toMatchObject({ body: 'newer', revision: 30 })
  expect(await read()).toMatchObject({ body: 'newer' })
})

test('a draft that is a translation keeps what its author wrote, until the text is their own again or is emptied', async ({
  save,
  read,
}) => {
  const translated = { body: 'Guten Tag', original_body: 'Hello' }
  await save({ ...translated, revision: 41 })
  expect(await read()).toMatchObject(translated)
  await save({ body: 'Hello again', revision: 42 })
  expect(await read()).toMatchObject({ body: 'Hello again', original_body: null })
  await save({ ...translated, revision: 43 })
  await save({ body: '', original_body: 'Hello', revision: 44 })
  expect(await read()).toMatchObject({ body: '', original_body: null })
})

test('an emptied draft is not restored by an older text that arrives late', async ({ save, read }) => {
  await save({ body: '', revision: 50 })
  await save({ body: 'ghost', revision: 40 })
  expect(await read()).toMatchObject({ body: '', files: [], revision: 50 })
})

test('an emptied draft is deleted after a month, and a written one never', async ({
  as,
  conversation_id,
  server,
  save,
  read,
}) => {
  await save({ body: 'still wanted', revision: 60 }, as.ben)
  await server.context.db
    .updateTable('drafts')
    .set({ updated_at: '2026-01-01T00:00:00Z' })
    .where('conversation_id', '=', conversation_id)
    .execute()
  await pruneEmptiedDrafts(server.context.db)
  expect(await read()).toBeNull()
  expect(await read(as.ben)).toMatchObject({ body: 'still wanted' })
  await save({ body: '', revision: 65 })
  await pruneEmptiedDrafts(server.context.db)
  expect(await read(), 'until then it keeps older words from coming back').toMatchObject({ body: '', revision: 65 })
})

test('a draft longer than a message may be is refused, and one for a conversation of another account finds nothing', async ({
  as,
  save,
}) => {
  await expect(save({ body: 'x'.repeat(50_001), revision: 70 })).rejects.toMatchObject({ status: 422 })
  const original_body = 'x'.repeat(50_001)
  await expect(save({ body: 'x', original_body, revision: 70 })).rejects.toMatchObject({ status: 422 })
  await expect(save({ body: 'x', revision: 70 }, as.olga)).rejects.toMatchObject({ status: 404 })
})
