import { helpCenter } from '#contract/help/help-center.ts'
import { startDnsServer } from '#tests/emulators/dns-server.ts'
import { test as base, expect } from '#tests/support/fixture.ts'

const dns = await startDnsServer()

const test = base.extend('env', { scope: 'file' }, { DNS_SERVERS: dns.address })

const change = (help_center: object) => ({ body: { help_center } })

test.afterAll(() => dns.close())

test('a help center has the name of its company until an admin changes it, and is not public by itself', async ({
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
  await as.ada(helpCenter.update, change({ slug: 'taken' }))
  await expect(as.olga(helpCenter.update, change({ slug: 'taken' }))).rejects.toMatchObject({
    errors: { slug: ['has already been taken'] },
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

test('a help center answers on its own domain once DNS names its account', async ({ as, server, world }) => {
  const isKnown = async () => (await server.request('GET', '/help-domains?domain=help.proof.test')).status === 200
  const { data } = await as.ada(
    helpCenter.update,
    change({ is_published: true, slug: 'proof', domain: 'HELP.proof.test' }),
  )
  const record = { name: '_parley.help.proof.test', value: `parley-account=${world.acme.id}` }
  expect(data).toMatchObject({ domain: 'help.proof.test', domain_verified_at: null, domain_record: record })
  expect(data.url).toMatch(/\/help\/proof$/)
  const check = () => as.ada(helpCenter.checkDomain)
  const refused = (sentence: string) =>
    expect.objectContaining({ errors: { domain: [expect.stringContaining(sentence)] } })
  await expect(check()).rejects.toEqual(refused('was not found'))
  dns.texts.set(record.name, ['parley-account=another'])
  await expect(check()).rejects.toEqual(refused('has another text: parley-account=another'))
  expect(await isKnown()).toBe(false)
  await expect(as.ben(helpCenter.checkDomain)).rejects.toMatchObject({ status: 401 })
  dns.texts.set(record.name, ['v=spf1 -all', record.value])
  const { data: verified } = await check()
  expect(verified).toMatchObject({ domain_verified_at: expect.any(String), url: 'https://help.proof.test' })
  expect(await isKnown()).toBe(true)

  // Changing anything else keeps the proof, another domain needs its own.
  const { data: renamed } = await as.ada(helpCenter.update, change({ name: 'Renamed' }))
  expect(renamed.domain_verified_at).toBe(verified.domain_verified_at)
  await expect(as.olga(helpCenter.update, change({ domain: 'HELP.proof.test' }))).rejects.toMatchObject({
    errors: { domain: ['has already been taken'] },
  })
  const { data: moved } = await as.ada(helpCenter.update, change({ domain: 'support.proof.test' }))
  expect(moved.domain_verified_at).toBeNull()
  expect(await isKnown()).toBe(false)
})

test('entering a domain claims nothing: it belongs to the account that proves it first', async ({ as, world }) => {
  await as.ada(helpCenter.update, change({ domain: 'help.claimed.test' }))
  await as.olga(helpCenter.update, change({ domain: 'help.claimed.test' }))
  dns.texts.set('_parley.help.claimed.test', [`parley-account=${world.other.id}`])
  await expect(as.ada(helpCenter.checkDomain)).rejects.toMatchObject({ status: 422 })
  expect((await as.olga(helpCenter.checkDomain)).data.domain_verified_at).not.toBeNull()
  dns.texts.set('_parley.help.claimed.test', [`parley-account=${world.acme.id}`])
  await expect(as.ada(helpCenter.checkDomain)).rejects.toMatchObject({ errors: { domain: ['has already been taken'] } })
})
