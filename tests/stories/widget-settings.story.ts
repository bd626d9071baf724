import { afterAll, beforeAll, describe, test } from 'vitest'
import { expect, openPage } from '#tests/support/browser.ts'
import { ADA, call, expectNoFindings, openDashboard, openSignedIn, type Scene, setScene, visitShop } from './scene.ts'

let scene: Scene
let inbox_id: string

beforeAll(async () => {
  scene = await setScene()
  const { data } = await call(scene.url, 'GET', '/api/inboxes/primary', undefined, scene.token)
  inbox_id = data.id
})
afterAll(() => scene.close())

const readSettings = async () =>
  (await call(scene.url, 'GET', `/api/widget_settings?account_id=${scene.account_id}`)).data

async function openSettings(options: Parameters<typeof openSignedIn>[2] = {}) {
  const watched = await openSignedIn(scene, `/inboxes/${inbox_id}/chat-widget`, options)
  const { page } = watched
  const preview = page.frameLocator('iframe[title="Live preview"]')
  await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
  return { ...watched, preview }
}

const asAda = (method: string, path: string, body: object) => call(scene.url, method, path, body, scene.token)

describe('the live preview', () => {
  /** Only this page is open, nobody is available, and it is outside working hours. */
  async function openAlone() {
    const { page, faults } = await openDashboard(scene)
    await page.goto(`${scene.url}/widget/${inbox_id}`)
    const preview = page.frameLocator('iframe[title="Live preview"]')
    await expect(preview.getByRole('heading', { level: 1 })).toBeVisible()
    return { page, preview, faults }
  }
  test('is open by default and shows every field as soon as it is changed', async () => {
    await asAda('PUT', '/api/accounts/me', { account: { time_zone: 'Europe/Lisbon', working_hours: [] } })
    const { page, preview, faults } = await openAlone()
    const write = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
    const turn = (label: string) => page.getByLabel(label).click()
    const brand = () => preview.locator('html').evaluate((root) => root.style.getPropertyValue('--brand'))
    const seenHere = (text: string) => expect(page.getByText(text, { exact: true })).toBeVisible()
    const seen = (text: string) => expect(preview.getByText(text, { exact: true })).toBeVisible()

    await expect(preview.getByRole('heading', { name: 'Welcome to Acme' })).toBeVisible()
    await write('Company name', 'Acme Lamps')
    await expect(preview.getByRole('heading', { name: 'Welcome to Acme Lamps' })).toBeVisible()
    await write('Logo URL', `${scene.url}/favicon.svg`)
    await expect(preview.locator('header img')).toHaveAttribute('src', `${scene.url}/favicon.svg`)
    await write('Title', 'Ask away')
    await expect(preview.getByRole('heading', { name: 'Ask away' })).toBeVisible()
    await seen('Ask us anything in the chat window below 😊')
    await write('Subtitle', '')
    await expect(preview.getByText('Ask us anything')).toHaveCount(0)
    await write('Subtitle', 'Or look around')
    await seen('Or look around')
    await page.getByRole('button', { name: '#a8326e' }).click()
    await expect.poll(brand).toBe('#a8326e')
    await write('Color as a hex value', 'zzz')
    await seenHere('A color looks like #0d5f7a.')
    await write('Color as a hex value', '#3b52b4')
    await expect.poll(brand).toBe('#3b52b4')
    await write('Greeting', 'Good morning!')
    await seen('Good morning!')
    await write('Quick replies', 'Opening hours, Prices')
    await expect(preview.getByRole('button', { name: 'Prices' })).toBeVisible()
    await write('Away message', 'Back at nine.')
    await seen('Back at nine.')
    await write('New message placeholder', 'Say something')
    await expect(preview.getByPlaceholder('Say something')).toBeVisible()

    await turn('Show whether somebody is online')
    await write('Text while nobody is online', 'Gone home')
    await seen('Gone home')
    await turn('Require a name')
    await expect(preview.getByLabel('Name')).toBeVisible()
    await turn('Require an email address')
    await write('Email placeholder', 'you@example.com')
    await expect(preview.getByPlaceholder('you@example.com')).toBeVisible()
    await turn('Require a phone number')
    await expect(preview.getByLabel('Phone')).toBeVisible()
    for (const label of ['Require a name', 'Require an email address', 'Require a phone number']) await turn(label)
    await turn('Hide voice messages')
    await expect(preview.getByRole('button', { name: 'Record a voice message' })).toHaveCount(0)
    await turn('Hide attachments')
    await expect(preview.getByRole('button', { name: 'Attach files' })).toHaveCount(0)
    await turn('Hide “Powered by Parley”')
    await expect(preview.getByText('Powered by Parley')).toHaveCount(0)
    await turn('Open the chat automatically')
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await expect.poll(readSettings).toMatchObject({
      title: 'Ask away',
      color: '#3b52b4',
      require_phone_upfront: false,
      is_hide_voice: true,
      is_open_by_default: true,
    })
    await asAda('PUT', '/api/widget_settings', { widget_settings: { inbox_id, is_open_by_default: false } })
    expect(faults).toEqual([])
  })

  test('shows a sample conversation on request', async () => {
    const { page, preview, faults } = await openAlone()
    const log = preview.getByRole('log')
    await page.getByRole('switch', { name: 'With a conversation' }).click()
    await expect(log).toContainText('Shall I reserve a time for you?')
    await page.getByRole('switch', { name: 'With a conversation' }).click()
    await expect(preview.getByText('Shall I reserve')).toHaveCount(0)
    const { data } = await call(
      scene.url,
      'GET',
      '/api/conversations?source=sandbox&q=Saturdays',
      undefined,
      scene.token,
    )
    expect(data).toEqual([])
    expect(faults).toEqual([])
  })

  test('replies, and shows the agent’s name, missed messages, and the button’s style once it is closed', async () => {
    const { page, preview } = await openAlone()
    await preview.getByPlaceholder('Say something').fill('Is this thing on?')
    await preview.getByPlaceholder('Say something').press('Enter')
    const log = preview.getByRole('log')
    await expect(log).toContainText('Sent')
    const { data } = await call(scene.url, 'GET', '/api/conversations?source=sandbox&q=thing', undefined, scene.token)
    const answer = (body: string) => asAda('POST', '/api/messages', { message: { conversation_id: data[0].id, body } })
    await answer('It is.')
    await expect(log.getByText('ada', { exact: true })).toBeVisible()
    await page.getByLabel('Show the company instead of people').click()
    await expect(log.getByText('ada', { exact: true })).toHaveCount(0)
    await page.getByRole('button', { name: 'Close the preview' }).click()
    await answer('Still on.')
    await expect(preview.getByRole('button', { name: 'Still on.' })).toBeVisible()
    await page.getByLabel('Text of the new messages notice').fill('Have a look')
    await expect(preview.getByRole('button', { name: 'Have a look' })).toBeVisible()
    await page.getByText('Filled', { exact: true }).click()
    await expect(page.getByRole('button', { name: 'Open the preview' })).toHaveAttribute('data-filled', 'true')
    await preview.getByRole('button', { name: 'Have a look' }).click()
    await expect(page.getByRole('button', { name: 'Close the preview' })).toBeVisible()
    await page.getByLabel('Text while somebody is online').fill('At the desk')
    await openDashboard(scene)
    await expect(preview.getByText('At the desk')).toBeVisible()
    await asAda('PUT', '/api/widget_settings', { widget_settings: { inbox_id, title: null, away_message: null } })
  })
})

describe('saving', () => {
  test('happens automatically, and at once when a field is left', async () => {
    const { page } = await openSettings()
    const saved = page.waitForRequest(
      (request) => request.method() === 'PUT' && request.url().includes('widget_settings'),
    )
    await page.getByLabel('Company name').fill('Acme Candles')
    await page.getByLabel('Company name').blur()
    const { widget_settings } = (await saved).postDataJSON()
    expect(widget_settings).toMatchObject({ inbox_id, name: 'Acme Candles', icon_variant: expect.any(String) })
    await expect.poll(async () => (await readSettings()).name).toBe('Acme Candles')
    await page.context().close()
  })

  test('keeps the selection of text, also in a slow browser', async () => {
    await asAda('PUT', '/api/widget_settings', { widget_settings: { inbox_id, title: null } })
    const { page } = await openSettings()
    await page.addInitScript(() => {
      const later = setTimeout
      globalThis.setTimeout = ((work: () => void, ms = 0) => later(work, ms + 50)) as typeof setTimeout
    })
    await page.goto(`${scene.url}/widget/${inbox_id}`)
    const title = page.getByLabel('Title', { exact: true })
    const name = `Lamps ${Date.now()}`
    await page.getByLabel('Company name').fill(name)
    await title.selectText()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    const selected = await title.evaluate(({ value, selectionStart, selectionEnd }: HTMLInputElement) =>
      value.slice(selectionStart ?? 0, selectionEnd ?? 0),
    )
    expect(selected).toBe(`Welcome to ${name}`)
    await page.context().close()
  })

  test('happens even if the page is left before the delay is over', async () => {
    const { page } = await openSettings()
    await page.getByLabel('Greeting').fill('Written in haste')
    await page.goto('about:blank')
    await expect.poll(async () => (await readSettings()).greeting).toBe('Written in haste')
  })

  test('that fails is reported, keeps the input, and is retried', async () => {
    const { page } = await openSettings()
    await page.route('**/api/widget_settings', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    )
    await page.getByLabel('Away message').fill('Back at nine.')
    await expect(page.getByText('Not saved')).toBeVisible()
    await page.unroute('**/api/widget_settings')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect((await readSettings()).away_message).toBe('Back at nine.')
    await page.context().close()
  })

  test('is shown in another tab of the team', async () => {
    const { page } = await openSettings()
    await call(
      scene.url,
      'PUT',
      '/api/widget_settings',
      { widget_settings: { inbox_id, title: 'From elsewhere' } },
      scene.token,
    )
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('From elsewhere')
    await page.context().close()
  })
})

test('working hours are saved to the account: a zone found by typing, half hours, an end after the start', async () => {
  const { page } = await openSettings()
  const hours = page.getByRole('region', { name: 'Working Hours' })
  await hours.getByRole('button', { name: 'Edit' }).click()
  await hours.getByLabel('Time zone').click()
  await hours.getByLabel('Time zone').fill('Ho Chi')
  await page.getByText('(UTC+07:00) Asia/Ho Chi Minh').click()
  const choose = async (label: string, time: string) => {
    await hours.getByLabel(label).click()
    await hours.getByLabel(label).fill(time)
  }
  await choose('From 1', '9:00 AM')
  await page.getByRole('option', { name: '9:00 AM', exact: true }).click()
  await choose('Until 1', '8:30 AM')
  await expect(page.getByRole('option', { name: '8:30 AM', exact: true })).toHaveCount(0)
  await choose('Until 1', '11:30 AM')
  await page.getByRole('option', { name: '11:30 AM', exact: true }).click()
  // New hours start in a free period; hours that overlap others are refused.
  await hours.getByRole('button', { name: 'Add hours' }).click()
  await choose('From 2', '9:30 AM')
  await page.getByRole('option', { name: '9:30 AM', exact: true }).last().click()
  await expect(hours.getByRole('alert')).toHaveText(
    'Two of these hours overlap on Monday. Change or remove one of them.',
  )
  await hours.getByRole('button', { name: 'Remove hours 2' }).click()
  await expect(hours.getByRole('alert')).toHaveCount(0)
  await hours.getByRole('button', { name: 'Save' }).click()
  await expect(hours.getByText('Everyday, 9:00 AM – 11:30 AM')).toBeVisible()
  const { data } = await call(scene.url, 'GET', '/api/accounts/me', undefined, scene.token)
  expect(data).toMatchObject({
    time_zone: 'Asia/Ho_Chi_Minh',
    working_hours: [{ day: 'everyday', start_minute: 540, end_minute: 690 }],
  })
  await page.context().close()
})

describe('installing', () => {
  test('offers code for HTML and REACT, with this account, this inbox, and a language once one is chosen', async () => {
    const { page } = await openSettings()
    const code = page.getByLabel('Code to copy')
    await expect(code).toHaveValue(new RegExp(`token: "${scene.account_id}",\\s+inbox: "${inbox_id}",\\s+baseUrl`))
    const language = page.getByLabel('Language of the widget on this website')
    await language.selectOption('ar')
    await expect(code).toHaveValue(/language: "ar"/)
    await language.selectOption({ label: 'Language of the page' })
    await expect(code).not.toHaveValue(/language/)
    const script = `<script type="text/javascript" async defer src="${scene.url}/widget.js?token=${scene.account_id}&inbox=${inbox_id}"></script>`
    await expect.poll(() => code.inputValue()).toContain(script)
    await page.getByText('REACT', { exact: true }).click()
    await expect(code).toHaveValue(/<ChatWidget/)
    await page.getByLabel('Include all settings in the code').check()
    await expect(code).toHaveValue(/primaryColor=/)
    await page.context().close()
  })

  test('an admin at another URL than the one in the snippet is warned, and can choose theirs', async () => {
    const otherUrl = scene.url.replace('localhost', '127.0.0.1')
    const { page } = await openSignedIn({ ...scene, url: otherUrl }, `/inboxes/${inbox_id}/chat-widget`)
    const notice = page.getByRole('region', { name: 'This address may not be reachable' })
    await expect(notice).toContainText(
      `use ${new URL(scene.url).host}, but you opened Parley at ${new URL(otherUrl).host}`,
    )
    await expectNoFindings(page, 'main')
    await notice.getByRole('button', { name: `Use ${otherUrl} from now on` }).click()
    await expect(page.getByLabel('Code to copy')).toHaveValue(new RegExp(`src="${otherUrl}/widget.js`))
    await expect(notice).toHaveCount(0)
    await asAda('PUT', '/api/installation/address', { base_url: scene.url })
  })

  test('the check waits until the widget is opened on a website, and the inbox says where', async () => {
    const { page } = await openSettings()
    await page.getByRole('button', { name: 'Check my installation' }).click()
    await expect(page.getByText('Waiting…')).toBeVisible()
    const shop = await visitShop(scene)
    await shop.page.getByRole('button', { name: 'Open chat widget' }).click()
    await expect(page.getByText('It works')).toBeVisible()
    await expect(page.getByText(`Last opened on ${new URL(scene.shop).host}`)).toBeVisible()
    await page.goto(`${scene.url}/inboxes/${inbox_id}`)
    await expect(page.getByText(`Installed on ${new URL(scene.shop).host}`)).toBeVisible()
    await shop.page.context().close()
    await page.context().close()
  })

  test('a secret for signed identity is shown once', async () => {
    const { page } = await openSettings()
    await page.getByRole('button', { name: 'Create a secret' }).click()
    await expect(page.getByText('Copy it now')).toBeVisible()
    await page.getByLabel('Require signed identity').click()
    await expect(page.getByLabel('Require signed identity')).toBeChecked()
    await page.reload()
    await expect(page.getByText('Ends with').first()).toBeVisible()
    await expect(page.getByText('Copy it now')).toHaveCount(0)
    await page.getByLabel('Require signed identity').click()
    await page.context().close()
  })
})

describe('the standalone page', () => {
  test('shows the same settings to whoever has the token in a cookie', async () => {
    const { page, faults } = await openDashboard(scene)
    await page.goto(`${scene.url}/widget/${inbox_id}`)
    await expect(page.getByRole('heading', { name: 'Chat widget settings' })).toBeVisible()
    await page.getByLabel('Subtitle').fill('Alone')
    await expect.poll(async () => (await readSettings()).subtitle).toBe('Alone')
    await expectNoFindings(page)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('sends people to the sign-in page and back again', async () => {
    const { page } = await openPage(scene.browser)
    await page.goto(`${scene.url}/widget/${inbox_id}`)
    await expect(page).toHaveURL(/\/login\?redirect=/)
    const cookies = await page.context().cookies()
    const next = cookies.find(({ name }) => name === 'next')
    expect(decodeURIComponent(next?.value ?? '')).toBe(`${scene.url}/widget/${inbox_id}`)
    await page.getByLabel('Email').fill(ADA.email)
    await page.getByLabel('Password', { exact: true }).fill(ADA.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL(`${scene.url}/widget/${inbox_id}`)
    await expect(page.getByRole('heading', { name: 'Chat widget settings' })).toBeVisible()
    await page.context().close()
  })

  test('opens after signing in on the sign-in page itself', async () => {
    const { page } = await openPage(scene.browser)
    await page.goto(`${scene.url}/login?redirect=/widget/${inbox_id}`)
    await page.getByLabel('Email').fill(ADA.email)
    await page.getByLabel('Password', { exact: true }).fill(ADA.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page.getByRole('heading', { name: 'Chat widget settings' })).toBeVisible()
    await expect(page).toHaveURL(`${scene.url}/widget/${inbox_id}`)
    await page.context().close()
  })

  test('ends the session when the token is no longer valid', async () => {
    const { page } = await openPage(scene.browser)
    await page.context().addCookies([{ name: 'token', value: 'over', url: `${scene.url}/widget/` }])
    await page.goto(`${scene.url}/widget/${inbox_id}`)
    await expect(page).toHaveURL(/\/login\?redirect=/)
    await page.context().close()
  })
})

test('an unknown inbox is an error with its reason', async () => {
  const { page } = await openSignedIn(scene, '/inboxes/0a4cf2a3-07c0-4ee9-bd0b-7a2e1d3c5b66/chat-widget')
  await expect(page.getByRole('heading', { name: 'Error retrieving inbox' })).toBeVisible()
  await page.context().close()
})

test('axe finds nothing, wide or on a phone, light or dark', async () => {
  const wide = await openSettings()
  await expectNoFindings(wide.page)
  await wide.page.context().close()
  const { page } = await openSettings({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoFindings(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await page.context().close()
})
