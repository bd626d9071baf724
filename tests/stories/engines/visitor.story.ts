import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, findConversation, PICTURE } from '../scene.ts'
import { storyInEngines } from './compare.ts'

const CHAT = 'iframe'
const WRITE = { css: 'textarea', frame: CHAT }
const LOG = '[role="log"]'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-engines-'))
  await writeFile(join(folder, 'bowl.png'), PICTURE)
})
afterAll(() => rm(folder, { recursive: true }))

storyInEngines('a visitor writes, sends a link and a picture, and is answered at once', async (visitor, scene) => {
  await visitor.goto(scene.shop)
  await visitor.click({ css: 'button', text: 'Open chat widget' })
  await visitor.see(WRITE)
  await visitor.look('the open chat', 'body', ['textarea', '.scroller'], CHAT)

  await visitor.type(WRITE, 'Is this bowl still there? https://fernhill.test/bowl')
  await visitor.press('Enter')
  await visitor.see({ css: `${LOG} a[href="https://fernhill.test/bowl"]`, frame: CHAT })
  await expect.poll(() => findConversation(scene, 'bowl')).toBeTruthy()
  const { id } = await findConversation(scene, 'bowl')

  const answer = { conversation_id: id, body: 'It is: **two** are left, see https://fernhill.test/shelf?of=bowls' }
  await call(scene.url, 'POST', '/api/messages', { message: answer }, scene.token)
  await visitor.see({ css: `${LOG} a[href="https://fernhill.test/shelf?of=bowls"]`, frame: CHAT })
  await visitor.see({ css: `${LOG} strong`, text: 'two', frame: CHAT })

  await visitor.upload({ css: 'input[type="file"]', frame: CHAT }, join(folder, 'bowl.png'))
  await visitor.type(WRITE, 'This one')
  await visitor.press('Enter')
  await visitor.see({ css: `${LOG} img`, frame: CHAT })
  await visitor.see({ css: LOG, text: 'This one', frame: CHAT })
  await visitor.look('the chat with an answer and a picture', 'body', ['textarea', '.scroller'], CHAT)

  // A later visit begins with what was written.
  await visitor.tab.reload()
  await visitor.click({ css: 'button', text: 'chat widget' })
  await visitor.see({ css: `${LOG} a[href="https://fernhill.test/shelf?of=bowls"]`, frame: CHAT })
  await visitor.see({ css: `${LOG} img`, frame: CHAT })
})
