import { articles } from '#contract/help/articles.ts'
import { helpCenter } from '#contract/help/help-center.ts'
import { widgets } from '#contract/widget/widgets.ts'
import { expect, test } from '#tests/support/fixture.ts'

test('a chat shows articles once somebody can read one, unless its inbox does not offer them', async ({
  as,
  world,
}) => {
  const isShown = async () =>
    (await as.anybody(widgets.settings, { query: { account_id: world.acme.id } })).data.has_articles
  const publish = (is_published: boolean) => as.ada(helpCenter.update, { body: { help_center: { is_published } } })
  const offer = (offers_articles: boolean) =>
    as.ada(widgets.update, { body: { widget_settings: { inbox_id: world.website.id, offers_articles } } })
  const article = { language: 'en', title: 'Which bulbs fit?', body: 'All of them.' }
  const { data } = await as.ben(articles.create, { body: { article } })
  await as.ben(articles.publish, { params: { id: data.id, language: 'en' }, body: {} })
  expect(await isShown(), 'in a help center that nobody can read').toBe(false)
  await publish(true)
  expect(await isShown()).toBe(true)
  await offer(false)
  expect(await isShown(), 'where the inbox does not offer them').toBe(false)
  await offer(true)
  await publish(false)
  expect(await isShown(), 'withdrawn').toBe(false)
})
