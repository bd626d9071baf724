import { expect, openPage } from '#tests/support/browser.ts'
import { startEmbedSite } from '#tests/support/embed-site.ts'
import type { Person } from '#tests/support/engines/person.ts'
import { ADA, call, type Scene } from '../scene.ts'
import { storyInEngines } from './compare.ts'

const LOG = '[role="log"]'
const NAMES = 'section:has([autocomplete="nickname"])'
const REPLAY = 'iframe[title="The visitor\'s page"]'

async function signIn(agent: Person) {
  await agent.type({ css: 'input[type="email"]' }, ADA.email)
  await agent.type({ css: 'input[type="password"]' }, ADA.password)
  await agent.press('Enter')
}

/** Waits for everything beside the thread, whose parts load one after the other. */
async function seePanel(agent: Person, name: string) {
  await agent.see({ css: 'aside', text: name })
  await agent.see({ css: 'aside button', text: 'Make a link' })
}

async function startConversation({ account_id, url, token }: Scene, name: string, messages: string[]) {
  const customer = await call(url, 'POST', '/api/customers', { customer: { account_id, name } })
  const customer_id: string = customer.data.id
  const { data } = await call(url, 'POST', '/api/conversations', { conversation: { account_id, customer_id } }, token)
  for (const body of messages) {
    await call(url, 'POST', '/api/messages', { message: { conversation_id: data.id, customer_id, body } }, token)
  }
  return data.id as string
}

storyInEngines('an agent signs in at a conversation, answers, and finds it again', async (agent, scene) => {
  await startConversation(scene, 'Ida Berg', ['Do you ship to Norway?'])
  const long = Array.from({ length: 12 }, (_, line) => `Line ${line + 1} of a longer question.`)
  const id = await startConversation(scene, 'Noa Reyes', [...long, 'Is the glaze dishwasher-safe?'])
  await agent.goto(`${scene.url}/conversations/all/${id}`)
  await signIn(agent)
  await agent.see({ css: LOG, text: 'Is the glaze dishwasher-safe?' })
  await agent.see({ css: 'a', text: 'Ida Berg' })
  await seePanel(agent, 'Noa Reyes')
  await agent.look('the inbox', 'body', ['main', LOG, 'nav', 'textarea'])

  await agent.type({ css: 'textarea', text: 'Write a reply' }, 'It is, on the lower shelf.')
  await agent.press('Control+Enter')
  await agent.see({ css: LOG, text: 'It is, on the lower shelf.' })
  await agent.tab.reload()
  await agent.see({ css: LOG, text: 'It is, on the lower shelf.' })
  await agent.click({ css: 'a', text: 'Ida Berg' })
  await agent.see({ css: LOG, text: 'Do you ship to Norway?' })
  await seePanel(agent, 'Ida Berg')
  await agent.look('the other conversation', 'body', ['main', LOG, 'textarea'])
})

storyInEngines('an agent reads reports, and changes a setting', async (agent, scene) => {
  await startConversation(scene, 'Ida Berg', ['Do you ship to Norway?'])
  await agent.goto(`${scene.url}/reporting?range=custom`)
  await signIn(agent)
  await agent.see({ css: 'h1', text: 'Reporting' })
  const days = await agent.waitFor(() => {
    const days = [...document.querySelectorAll<HTMLInputElement>('input[type="date"]')].map(({ value }) => value)
    return days.length === 2 && days.every(Boolean) ? days : undefined
  }, [])
  expect(days[1]).toBe(new Date().toISOString().slice(0, 10))
  await agent.see({ css: 'svg[role="application"]' })
  await agent.look('reporting', 'main', ['main', 'h1', 'dl'])

  await agent.goto(`${scene.url}/settings/profile`)
  await agent.click({ css: `${NAMES} button`, text: 'Edit' })
  await agent.type({ css: 'input:enabled', text: 'Display name' }, 'Ada L.')
  await agent.click({ css: `${NAMES} button`, text: 'Save' })
  await agent.see({ css: `${NAMES} button`, text: 'Edit' })
  const profile = () => call(scene.url, 'GET', '/api/profile', undefined, scene.token)
  await expect.poll(async () => (await profile()).data.display_name).toBe('Ada L.')
  // The rest of the page names the browser and what it allows.
  await agent.look('the names', NAMES, ['main', 'h1', NAMES])
})

storyInEngines('an agent watches a visitor', async (agent, scene) => {
  const script = `${scene.url}/storytime.js?account=${scene.account_id}`
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order</title><link rel="icon" href="data:,">
</head><body><h1>Order a bowl</h1><label data-parley-unmask>Colour <input id="colour"></label><script src="${script}"></script></body></html>`
  const site = await startEmbedSite(scene.url, { '/': page }, { style: "'self' 'unsafe-inline'" })
  const visitor = await openPage(scene.browser, { viewport: { width: 800, height: 600 } })
  try {
    await visitor.page.goto(site.url)
    await agent.goto(`${scene.url}/sessions/list`)
    await signIn(agent)
    await agent.click({ css: 'a', text: 'View live' })
    await agent.see({ css: 'h1', text: 'Order a bowl', frame: REPLAY })
    await visitor.page.fill('#colour', 'Sea green')
    await agent.waitFor(() => document.querySelector<HTMLInputElement>('#colour')?.value === 'Sea green', [], REPLAY)
    await agent.look('the live session', 'main', ['main', 'h1', REPLAY])
  } finally {
    await site.close()
  }
})
