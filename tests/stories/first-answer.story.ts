import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { closePages, expect, openPage, shareBrowser } from '#tests/support/browser.ts'
import { freshDatabase } from '#tests/support/database.ts'
import { freePort, ServerProcess } from '#tests/support/server-process.ts'
import { ADA, expectNoFindings, openChat } from './scene.ts'

let server: ServerProcess
let browser: Browser
let url: string
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-first-'))
  const { connection, drop } = await freshDatabase()
  server = new ServerProcess(await freePort(), dataDir, { TEST_DATABASE: JSON.stringify(connection) })
  await server.start()
  url = `http://localhost:${server.port}`
  browser = await shareBrowser()
  closing.push(
    () => closePages(browser),
    () => server.stop(),
    drop,
    () => rm(dataDir, { recursive: true, force: true }),
  )
})
afterAll(async () => {
  for (const close of closing) await close()
})

/** A user whose clicks and fields are counted. */
class Newcomer {
  clicks = 0
  fields = 0

  async click(what: Locator) {
    this.clicks++
    await what.click()
  }

  async fill(what: Locator, text: string) {
    this.fields++
    await what.fill(text)
  }
}

/** A website whose page contains the pasted code. */
async function openWebsite(pasted: string): Promise<string> {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="en"><head><title>Lamps</title>${pasted}</head><body><h1>Lamps</h1></body>`)
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  closing.unshift(
    () =>
      new Promise((closed) => {
        site.close(closed)
        site.closeAllConnections()
      }),
  )
  return `http://localhost:${(site.address() as AddressInfo).port}/lamps`
}

const step = (page: Page, title: string) => page.getByRole('listitem').filter({ hasText: title })

test('from an empty installation to the first answer it takes 12 clicks and 5 fields at most', async () => {
  const me = new Newcomer()
  const { page, faults } = await openPage(browser)
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Set up Parley' })).toBeVisible()
  await expect(page.getByText('Welcome back')).toHaveCount(0)
  await expectNoFindings(page)
  const setUp = page.getByRole('button', { name: 'Set up Parley' })
  await setUp.click()
  await expect(page.getByText('Company name is required')).toBeVisible()
  await me.fill(page.getByLabel('Company name'), 'Acme')
  await me.fill(page.getByLabel('Your name'), 'Ada Lovelace')
  await me.fill(page.getByLabel('Email'), ADA.email)
  await me.fill(page.getByLabel('Password', { exact: true }), ADA.password)
  await me.click(setUp)

  await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible()
  await expect(step(page, 'Introduce yourself')).toContainText('Done')
  await expect(step(page, 'Answer your first message')).toContainText('Waiting for a first message')
  await expect(page.getByText('REGISTRATION=open')).toBeVisible()
  await expectNoFindings(page)
  const website = step(page, 'Put the chat on your website')
  await expect(website).toContainText('Waiting for your website')
  const snippet = await website.getByLabel('Code to copy').inputValue()
  me.clicks++

  const visitor = await openPage(browser)
  await visitor.page.goto(await openWebsite(snippet))
  const { sendMessage, log } = await openChat(visitor.page)
  me.clicks++
  await expect(website).toContainText('Last opened on localhost')
  await sendMessage('Is anybody there?')
  me.fields++
  await me.click(page.getByRole('link', { name: 'Answer it' }))
  await expect(page.getByRole('log')).toContainText('Is anybody there?')
  await page.getByPlaceholder('Write a reply').fill('I am!')
  await page.keyboard.press('Control+Enter')
  await expect(log).toContainText('I am!')

  await page.goto(`${url}/getting-started`)
  await expect(step(page, 'Answer your first message')).toContainText('Done')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoFindings(page)
  expect(me.clicks).toBeLessThanOrEqual(12)
  expect(me.fields).toBeLessThanOrEqual(5)
  expect(faults).toEqual([])
})

test('if an account exists already, the first page is the sign-in page', async () => {
  const { page } = await openPage(browser)
  await page.goto(url)
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible()
  await expect(page.getByLabel('Confirm password')).toBeVisible()
})
