import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, test } from 'vitest'
import { CHATWOOT_TOKEN, startChatwootApi } from '#tests/emulators/chatwoot.ts'
import type { Vendor } from '#tests/emulators/vendor.ts'
import { expect } from '#tests/support/browser.ts'
import { createChatwoot } from '#tests/support/chatwoot/database.ts'
import { fillCompany } from '#tests/support/chatwoot/run.ts'
import type { FreshDatabase } from '#tests/support/database.ts'
import { fill } from '#tests/support/papercups/company.ts'
import { createPapercups, withClient } from '#tests/support/papercups/database.ts'
import { writeDump } from '#tests/support/papercups/dump.ts'
import { expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const PATIENCE = { timeout: 60_000 }

let scene: Scene
let chatwoot: FreshDatabase
let pool: pg.Pool
let api: Vendor
let folder: string
let dump: string
beforeAll(async () => {
  scene = await setScene({}, { REACHABLE_HOSTS: '127.0.0.1' })
  chatwoot = await createChatwoot()
  await withClient(chatwoot, fillCompany)
  pool = new pg.Pool(chatwoot.connection)
  api = await startChatwootApi(pool)
  folder = await mkdtemp(join(tmpdir(), 'parley-moving-story-'))
  dump = join(folder, 'dump.sql')
  const source = await createPapercups()
  await withClient(source, fill)
  await writeDump(source, dump)
  await source.drop()
  // Ada has set up this installation with her address.
  await writeFile(dump, (await readFile(dump, 'utf8')).replace(/ada@acme\.test/gi, 'ada@old.test'))
})
afterAll(async () => {
  await scene.close()
  await api.close()
  await pool.end()
  await chatwoot.drop()
  await rm(folder, { recursive: true, force: true })
})

const choose = (page: Page) => page.locator('input[type=file]').setInputFiles(dump)

test('the operator enters the address and token of a server whose API is read, stops, and checks it; the token is never shown again', async () => {
  const { page, faults } = await openSignedIn(scene, '/settings/moving-in')
  await page.getByRole('combobox', { name: 'Product' }).click()
  await page.getByRole('option', { name: 'Chatwoot' }).click()
  await page.getByText('The API', { exact: true }).click()
  await expectNoFindings(page, 'main')
  await page.getByRole('textbox', { name: 'Address of the server' }).fill(`${api.url}/app`)
  await page.getByRole('textbox', { name: 'Account number' }).fill('1')
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText("can't be blank")

  const agents = 'GET /api/v1/accounts/1/agents'
  api.hang(agents)
  await page.getByLabel('Access token of an administrator').fill(CHATWOOT_TOKEN)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByText('The installation works as usual meanwhile.')).toBeVisible()
  await expect.poll(() => api.requestsTo(agents).length, PATIENCE).toBe(1)
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('It was stopped. Nothing was changed.')).toBeVisible(PATIENCE)
  await expect(page.getByText(`The source is the API of ${api.url}.`)).toBeVisible()
  await expectNoFindings(page, 'main')

  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'What would be moved' })).toBeVisible(PATIENCE)
  expect(await page.content()).not.toContain(CHATWOOT_TOKEN)
  await page.getByRole('button', { name: 'Delete the access token' }).click()
  await expect(page.getByRole('combobox', { name: 'Product' })).toBeVisible()
  // Chromium logs that the form without a token was refused.
  expect(faults.filter((fault) => !/422/.test(fault))).toEqual([])
})

test('the operator uploads a dump, sees what would be moved, and moves it in; a reload keeps the page as it is', async () => {
  const { page, faults } = await openSignedIn(scene, '/settings/profile')
  await page.getByRole('link', { name: 'Moving in' }).click()
  await expect(page.getByText('It sends no mail and no message to anybody.')).toBeVisible()
  await expectNoFindings(page, 'main')

  // The first piece is lost on the way: the upload goes on by itself.
  let isLost = false
  await page.route('**/moving_in/pieces', async (route) => {
    if (isLost) return route.continue()
    isLost = true
    return route.abort()
  })
  await choose(page)
  await expect(page.getByRole('heading', { name: 'What would be moved' })).toBeVisible(PATIENCE)
  expect(isLost).toBe(true)
  const report = page.getByRole('table', { name: 'Report' })
  await expect(report.getByRole('row', { name: /^messages 10 8 2/ })).toContainText('has no conversation')
  await page.reload()
  await expect(report).toBeVisible()
  await expectNoFindings(page, 'main')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the report' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('This was a dry run')

  await page.getByRole('button', { name: 'Move in', exact: true }).click()
  await expect(page.getByText('Everything is moved. The uploaded file was deleted.')).toBeVisible(PATIENCE)
  await expectNoFindings(page, 'main')
  expect(faults).toEqual([])
})
