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

test('what the team answered in a similar solved conversation is inserted by one press, or opened by another', async () => {
  await writeInShop(scene, 'The velvet armchair squeaks whenever I lean back.')
  const solved = await findConversation(scene, 'armchair')
  const answer = 'Tighten the two screws under the seat; the key is in the drawer.'
  await call(scene.url, 'POST', '/api/messages', { message: { conversation_id: solved.id, body: answer } }, scene.token)
  const closed = { conversation: { status: 'closed' } }
  await call(scene.url, 'PUT', `/api/conversations/${solved.id}`, closed, scene.token)
  await writeInShop(scene, 'My velvet armchair squeaks, what can I do?')
  const { id } = await findConversation(scene, 'what can I do')
  const { page, faults } = await openSignedIn(scene, `/conversations/all/${id}`)
  const offered = page.getByRole('list', { name: 'Answers from solved conversations' })
  await expect(offered.getByText('The velvet armchair squeaks whenever I lean back.')).toBeVisible()
  await expectNoFindings(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const insert = offered.getByRole('button', { name: answer })
  await expect(insert).toBeInViewport()
  expect((await insert.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await insert.click()
  const box = page.getByPlaceholder('Write a reply')
  await expect(box).toHaveValue(answer)
  await box.fill('')
  await offered.getByRole('link', { name: /Open the conversation/ }).click()
  await expect(page).toHaveURL(new RegExp(solved.id))
  expect(faults).toEqual([])
  await page.context().close()
})
