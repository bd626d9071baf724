import { afterAll, beforeAll, test } from 'vitest'
import { expect } from '#tests/support/browser.ts'
import { call, expectNoFindings, findConversation, openSignedIn, type Scene, setScene, writeInShop } from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await setScene()
  const canned_response = { name: 'Return policy', content: 'You can send unused lamps back within thirty days.' }
  await call(scene.url, 'POST', '/api/canned_responses', { canned_response }, scene.token)
})
afterAll(() => scene.close())

test('a saved reply that may answer the question is offered above an empty composer, and inserted by one press', async () => {
  await writeInShop(scene, 'Can I return a lamp that I have not used?')
  const { id } = await findConversation(scene, 'return')
  const { page, faults } = await openSignedIn(scene, `/conversations/all/${id}`)
  const offered = page.getByRole('list', { name: 'Suggestions' }).getByRole('button', { name: 'Return policy' })
  await expect(offered).toBeVisible()
  await expectNoFindings(page)
  await offered.click()
  const box = page.getByPlaceholder('Write a reply')
  await expect(box).toHaveValue('You can send unused lamps back within thirty days.')
  await expect(offered).toHaveCount(0)
  await box.press('Control+Enter')
  await expect(page.getByRole('log').getByText('You can send unused lamps back')).toBeVisible()
  await expect(offered).toHaveCount(0)
  expect(faults).toEqual([])
  await page.context().close()
})
