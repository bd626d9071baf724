import type { Browser, Locator, Page } from '@playwright/test'
import { afterAll, beforeAll, expect as expectValue, test } from 'vitest'
import type { NewAuthorization } from '#server/features/connections/authorizations/connect.ts'
import { recordBroken, recordProblem, recordTraffic } from '#server/features/connections/authorizations/health.ts'
import { MAILBOX_PASSWORD, MAILBOX_USER, startImapServer } from '#tests/emulators/imap-server.ts'
import { closePages, expect, shareBrowser } from '#tests/support/browser.ts'
import { connectWebsite } from '#tests/support/connect.ts'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'
import { CATALOGUE, type Entry, pathOf } from '../../dashboard/features/connections/integrations/catalogue.ts'
import { expectNoFindings, openSignedIn, type Scene } from './scene.ts'

// The page asks the mailbox for its folders.
const imap = await startImapServer()
let database: FreshDatabase
let server: TestServer
let world: World
let browser: Browser
beforeAll(async () => {
  // No vendor is asked: the test sets the states of the connections itself.
  database = await freshDatabase()
  server = await startTestServer({ INTEGRATIONS: 'off', REACHABLE_HOSTS: '127.0.0.1' }, undefined, database)
  world = await createWorld(server)
  browser = await shareBrowser()
})
afterAll(async () => {
  await closePages(browser)
  await server.close()
  await database.drop()
  await imap.close()
})

const IMAP = { imap_host: '127.0.0.1', imap_security: 'none', username: MAILBOX_USER, password: MAILBOX_PASSWORD }
const SMTP = { smtp_host: '127.0.0.1', smtp_port: 465, smtp_security: 'tls' }
const GRANTED = { access_token: 'a token', refresh_token: null, expires_at: null }
const SLACK = {
  way_in: 'live' as const,
  settings: {
    team_id: 'T1',
    team_name: 'Acme',
    channel_id: 'C1',
    channel: '#support',
    configuration_url: null,
    sync_all_incoming_threads: true,
    sync_by_emoji_tagging: true,
  },
  credentials: { bot_token: 'xoxb-1', app_token: 'xapp-1' },
}

/** The stored fields of each connection. */
const CONNECTED: Partial<Record<Entry['integration'], Partial<NewAuthorization>>> = {
  mailbox: {
    address: 'support@acme.test',
    way_in: 'live',
    settings: { folder: 'INBOX', sent_folder: 'Sent', marks_read: true, watches_sent: true },
    credentials: { ...IMAP, ...SMTP, imap_port: imap.port },
  },
  gmail: { way_in: 'polled', settings: { type: 'support', email: 'support@acme.test' }, credentials: GRANTED },
  twilio: {
    way_in: 'polled',
    settings: { phone_number: '+15550100', number_sid: 'PN1' },
    credentials: { account_sid: 'AC1', auth_token: 'secret' },
  },
  telegram: {
    way_in: 'live',
    settings: { bot_id: '1', bot_name: 'Acme support', bot_username: 'acme_support_bot' },
    credentials: { token: '1:a token' },
  },
  whatsapp: {
    way_in: 'called',
    settings: {
      phone_number_id: '106540352242922',
      business_account_id: '102290129340398',
      phone_number: '+49 1570 0000001',
      digits: '4915700000001',
      verified_name: 'Acme',
      quality: 'GREEN',
    },
    credentials: { app_secret: 'a secret', access_token: 'a token' },
  },
  slack: SLACK,
  'slack:sync': { ...SLACK, slot: 'T1' },
  mattermost: {
    way_in: 'live',
    settings: {
      url: 'https://chat.acme.test',
      channel_id: 'c',
      channel_name: 'Support',
      team_id: 't',
      team_name: 'Acme',
      team_domain: 'acme',
    },
    credentials: { access_token: 'a token', verification_token: 'another' },
  },
  google_sheets: { way_in: 'none', credentials: GRANTED },
  github: { way_in: 'looked_up', settings: { closes_issues: false }, credentials: { kind: 'token', ...GRANTED } },
  hubspot: { way_in: 'none', settings: { portal_id: 1 }, credentials: GRANTED },
  intercom: { way_in: 'none', settings: { workspace_id: 'w' }, credentials: GRANTED },
}

const PAGES = CATALOGUE.flatMap((entry) => {
  const connected = CONNECTED[entry.integration]
  return connected ? [{ entry, connected }] : []
})

const WIDE = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const
const NARROW = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const

const scene = () => ({ browser, url: server.url }) as Scene
const connect = ({ integration, section }: Entry, connected: Partial<NewAuthorization>) =>
  connectWebsite(server, world, {
    integration: integration as NewAuthorization['integration'],
    inbox_id: section === 'account' ? null : world.website.id,
    label: 'Acme',
    ...connected,
  })

test('every system that can be connected is tested here, except the chat and forwarding', () => {
  expectValue(
    CATALOGUE.filter(({ integration }) => !CONNECTED[integration]).map(({ integration }) => integration),
  ).toEqual(['chat', 'ses'])
})

test.each(PAGES)('the page of $entry.integration shows the state of its connection, in both themes', async (row) => {
  const { entry, connected } = row
  const path = pathOf(entry, world.website.id)
  const opened = [await openSignedIn(scene(), path, WIDE), await openSignedIn(scene(), path, NARROW)]
  const onBoth = async (look: (main: Locator, page: Page) => Promise<void>) => {
    for (const { page } of opened) await look(page.getByRole('main'), page)
  }
  const expectText = (text: string | RegExp) => onBoth((main) => expect(main.getByText(text).first()).toBeVisible())
  const fits = () =>
    onBoth(async (_main, page) =>
      expectValue(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true),
    )
  await expectText('How does it work?')
  await onBoth((main) => expect(main.getByRole('button', { name: 'Disconnect' })).toHaveCount(0))
  await fits()

  const { context } = server
  const { id } = await connect(entry, connected)
  const key = { account_id: world.acme.id, id }
  const isNotified = !['none', 'looked_up'].includes(connected.way_in ?? '')
  await expectText(isNotified ? 'Waiting for the first message' : /^Connected$/)
  await context.change((tx) => recordTraffic(tx, key, 'in'))
  await expectText(/^Connected$/)
  const soon = new Date(Date.now() + 600_000)
  await context.change((tx) => recordProblem(tx, key, 'They ask us to wait.', soon))
  await expectText(/^Paused until/)
  await expectText('They ask us to wait.')
  await context.change((tx) => recordBroken(context, tx, key, 'They no longer accept the token. Connect it again.'))
  await expectText('Action required')
  await expectText('They no longer accept the token.')
  await fits()
  // Checked wide and in light colours only; the stories of each system check its page in other ways.
  await expectNoFindings(opened[1]!.page)
  for (const { faults } of opened) expectValue(faults, 'what a page is refused, it may not ask').toEqual([])
})
