import { users } from '#contract/accounts/users.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startConversation } from '#tests/support/world.ts'

test('visitors see who answers in an inbox and the usual response time', async ({ as, server, world }) => {
  const query = { account_id: world.acme.id, inbox_id: world.website.id }
  const fetchTeam = async () => (await as.anybody(widgets.team, { query })).data
  await as.ada(users.updateProfile, { body: { user_profile: { display_name: 'Ada', profile_photo_url: null } } })
  const { people, seconds_to_reply } = await fetchTeam()
  expect(people).toContainEqual({ name: 'Ada', photo: null })
  expect(people.length).toBeLessThanOrEqual(3)
  expect(JSON.stringify(people)).not.toContain('@')
  // With too few conversations there is no value.
  expect(seconds_to_reply).toBeNull()
  for (let minutes = 1; minutes <= 5; minutes++) {
    const { conversation_id } = await startConversation(server, world.carla, `question ${minutes}`)
    await as.ada(messages.create, { body: { message: { conversation_id, body: 'An answer' } } })
    const created_at = new Date(Date.now() - minutes * 60_000).toISOString()
    await server.context.db
      .updateTable('conversations')
      .set({ created_at })
      .where('account_id', '=', world.acme.id)
      .where('id', '=', conversation_id)
      .execute()
    await as.ada(conversations.update, {
      params: { id: conversation_id },
      body: { conversation: { status: 'closed' } },
    })
  }
  expect(Math.round((await fetchTeam()).seconds_to_reply! / 60)).toBe(3)
  await as.ada(widgets.update, {
    body: { widget_settings: { inbox_id: world.website.id, use_company_profile_only: true } },
  })
  expect((await fetchTeam()).people).toEqual([])
  await expect(as.anybody(widgets.team, { query: { account_id: crypto.randomUUID() } })).rejects.toMatchObject({
    status: 404,
  })
})
