import { helpCenter } from '#contract/help/help-center.ts'
import { expect, test } from '#tests/support/fixture.ts'

const change = (help_center: object) => ({ body: { help_center } })

test('a help centre has the name of its company until an admin changes it, and is not public by itself', async ({
  as,
}) => {
  const { data } = await as.olga(helpCenter.get)
  expect(data).toMatchObject({ is_published: false, default_language: 'en', languages: ['en'], domain: null })
  await expect(as.ben(helpCenter.update, change({ name: 'Ours' }))).rejects.toMatchObject({ status: 401 })
  const { data: changed } = await as.ada(
    helpCenter.update,
    change({ name: 'Acme Help', slug: 'Acme-Hilfe', languages: ['en', 'pt-br', 'en'], color: '#AA0000' }),
  )
  expect(changed).toMatchObject({ name: 'Acme Help', slug: 'acme-hilfe', languages: ['en', 'pt-BR'], color: '#aa0000' })
  expect(changed.url).toMatch(/\/help\/acme-hilfe$/)
  expect((await as.ben(helpCenter.get)).data).toEqual(changed)
})

test('addresses belong to one account, and the default language is one of the languages', async ({ as }) => {
  await as.ada(helpCenter.update, change({ slug: 'taken', domain: 'help.taken.test' }))
  await expect(as.olga(helpCenter.update, change({ slug: 'taken' }))).rejects.toMatchObject({
    errors: { slug: ['has already been taken'] },
  })
  await expect(as.olga(helpCenter.update, change({ domain: 'HELP.taken.test' }))).rejects.toMatchObject({
    errors: { domain: ['has already been taken'] },
  })
  for (const wrong of [
    { default_language: 'xx' },
    { domain: 'localhost' },
    { domain: 'a.test:80' },
    { languages: [] },
  ]) {
    await expect(as.olga(helpCenter.update, change(wrong)), JSON.stringify(wrong)).rejects.toMatchObject({
      status: 422,
    })
  }
})
