import type { Page, Route } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect as expectValue, test } from 'vitest'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { expect, openPage } from '#tests/support/browser.ts'
import { type SignInService, startSignInService } from '#tests/support/sign-in-service.ts'
import { ADA, call, expectNoFindings, openSignedIn, type Scene, setScene } from './scene.ts'

const BEN = { email: 'ben@acme.test', password: 'correct horse battery' }

let scene: Scene
let service: SignInService
beforeAll(async () => {
  service = await startSignInService({ id: 'parley', secret: 'between the two' })
  scene = await setScene(
    {},
    {
      OIDC_ISSUER: service.issuer,
      OIDC_CLIENT_ID: 'parley',
      OIDC_CLIENT_SECRET: 'between the two',
      OIDC_NAME: 'Acme ID',
      USER_INVITATION_EMAIL: 'on',
    },
  )
  const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
  const user = { ...BEN, invite_token: data.id, password_confirmation: BEN.password }
  await call(scene.url, 'POST', '/api/registration', { user })
})
afterAll(async () => {
  await scene.close()
  await service.close()
})

async function openAt(path: string, heading: string): Promise<Page> {
  const { page } = await openSignedIn(scene, path)
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  return page
}

/** The link in the newest mail of a kind. Such mails are readable only in the database and, without a mail server, the log. */
async function mailedLink(subject: RegExp): Promise<string> {
  const client = new pg.Client(scene.database)
  await client.connect()
  const { rows } = await client.query<{ subject: string; text: string }>(
    'select subject, text from mails order by created_at desc',
  )
  await client.end()
  const mail = rows.find((row) => subject.test(row.subject))
  return /https?:\/\/\S+/.exec(mail!.text)![0].replace(/^https?:\/\/[^/]+/, scene.url)
}

async function signInAs(page: Page, { email, password }: typeof BEN) {
  await page.goto(`${scene.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

describe('signing in', () => {
  test('a forgotten password is reset by the mailed link, which signs in', async () => {
    const { page } = await openPage(scene.browser)
    await page.goto(`${scene.url}/login`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(BEN.email)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('heading', { name: 'Please check your email' })).toBeVisible()
    await expectNoFindings(page)
    await page.goto(await mailedLink(/reset your password/))
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect(page.getByText('Password is required')).toBeVisible()
    await expectNoFindings(page)
    await page.getByLabel('New password', { exact: true }).fill('short')
    await page.getByLabel('Confirm new password').click()
    await expect(page.getByText('Password must be at least 8 characters')).toBeVisible()
    BEN.password = 'a wholly new password'
    await page.getByLabel('New password', { exact: true }).fill(BEN.password)
    await page.getByLabel('Confirm new password').fill(BEN.password)
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect(page).toHaveURL(/\/conversations\/all$/)
    await page.context().close()
  })

  test('a reset page without a token says so, and a stale link too', async () => {
    const { page } = await openPage(scene.browser)
    await page.goto(`${scene.url}/reset-password`)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Email is required')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    await page.goto(`${scene.url}/reset`)
    await expect(page.getByText('Invalid reset token!')).toBeVisible()
    await page.goto(`${scene.url}/reset?token=pot_old`)
    await page.getByLabel('New password', { exact: true }).fill('long enough now')
    await page.getByLabel('Confirm new password').fill('long enough now')
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect(page.getByText('Invalid or expired password reset link')).toBeVisible()
    await page.context().close()
  })

  test('the link in the verification mail verifies; a wrong one fails', async () => {
    const { page } = await openPage(scene.browser)
    await page.goto(await mailedLink(/Confirm your email/))
    await expect(page.getByText('Thanks for verifying your email address')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Email verified!' })).toBeVisible()
    await page.goto(`${scene.url}/verify`)
    await expect(page.getByRole('heading', { name: 'Email verification failed.' })).toBeVisible()
    await page.goto(`${scene.url}/verify?token=nonsense`)
    await expect(page.getByText('Something went wrong.')).toBeVisible()
    await expectNoFindings(page)
    await page.context().close()
  })

  test('registering with an email that has an account leads to the sign-in page', async () => {
    const { page } = await openPage(scene.browser)
    await page.goto(`${scene.url}/register`)
    // The focus moves to the first error, and corrected fields lose theirs.
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByLabel('Company name')).toBeFocused()
    await page.getByLabel('Company name').fill('Acme again')
    await expect(page.getByText('Company name is required')).toHaveCount(0)
    await page.getByLabel('Email').fill(BEN.email)
    for (const label of ['Password', 'Confirm password'])
      await page.getByLabel(label, { exact: true }).fill(BEN.password)
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByRole('alert')).toHaveText('This e-mail already has an account. Log in?')
    await expectNoFindings(page)
    await page.getByRole('link', { name: 'Log in?' }).click()
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible()
    await page.context().close()
  })

  test('a sign-in service signs people in and returns them to their page; a refusal shows an explanation', async () => {
    const { page, faults } = await openPage(scene.browser)
    service.person = { sub: 'ben', email: BEN.email }
    await page.goto(`${scene.url}/settings/profile`)
    await page.getByRole('link', { name: 'Log in with Acme ID' }).click()
    await expect(page.getByText('The sign-in service has not confirmed your email address.')).toBeVisible()
    await expectNoFindings(page)
    await page.goto(`${scene.url}/login#failure=Send+your+password+to+eve@evil.test`)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Log in', exact: true })).toBeVisible()
    await expect(page.getByText('Send your password')).toHaveCount(0)
    await page.goto(`${scene.url}/settings/profile`)
    service.person = { sub: 'ben', email: BEN.email, email_verified: true }
    await page.getByRole('link', { name: 'Log in with Acme ID' }).click()
    await expect(page).toHaveURL(/\/settings\/profile$/)
    await expect(page.getByRole('region', { name: 'You', exact: true }).getByLabel('Email')).toHaveValue(BEN.email)
    expect(faults).toEqual([])
    await page.context().close()
  })

  test('a second factor is turned on with an app, asked for at sign-in even with a new password, and turned off', async () => {
    const { page } = await openPage(scene.browser)
    await signInAs(page, BEN)
    await expect(page).toHaveURL(/\/conversations\/all$/)
    await page.goto(`${scene.url}/settings/profile`)
    const block = page.getByRole('region', { name: 'Second factor' })
    await block.getByLabel('Your password').fill('not this one')
    await block.getByRole('button', { name: 'Turn on' }).click()
    await expect(block.getByText('That is not your password.')).toBeVisible()
    await block.getByLabel('Your password').fill(BEN.password)
    await block.getByRole('button', { name: 'Turn on' }).click()
    const secret = (await block.getByText(/^[A-Z2-7]{32}$/).textContent())!
    await expectNoFindings(page)
    await block.getByLabel('Code from the app').fill(codeAt(secret, Math.floor(Date.now() / 30_000)))
    await block.getByRole('button', { name: 'Confirm' }).click()
    await expect(block.getByRole('listitem')).toHaveCount(10)
    const recovery = (await block.getByRole('listitem').first().textContent())!
    await expectNoFindings(page)
    await block.getByRole('button', { name: 'I have saved them' }).click()
    await expect(block.getByText('10 recovery codes left')).toBeVisible()

    const { page: signIn } = await openPage(scene.browser)
    await call(scene.url, 'POST', '/api/reset_password', { email: BEN.email })
    await signIn.goto(await mailedLink(/reset your password/))
    BEN.password = 'yet another password'
    await signIn.getByLabel('New password', { exact: true }).fill(BEN.password)
    await signIn.getByLabel('Confirm new password').fill(BEN.password)
    await signIn.getByRole('button', { name: 'Reset' }).click()
    await expect(signIn).toHaveURL(/\/login$/)
    await signInAs(signIn, BEN)
    await signIn.getByLabel('Code').fill('000000')
    await signIn.getByRole('button', { name: 'Log in' }).click()
    await expect(signIn.getByText('Invalid code')).toBeVisible()
    await signIn.getByLabel('Code').fill(recovery)
    await signIn.getByRole('button', { name: 'Log in' }).click()
    await expect(signIn).toHaveURL(/\/conversations\/all$/)
    await page.context().close()

    await signIn.goto(`${scene.url}/settings/profile`)
    const again = signIn.getByRole('region', { name: 'Second factor' })
    await again.getByLabel('Your password').fill(BEN.password)
    await again.getByRole('button', { name: 'Turn off' }).click()
    await expect(again.getByRole('button', { name: 'Turn on' })).toBeVisible()
    await signIn.context().close()
  })
})

describe('the profile', () => {
  test('is read-only until Edit; Cancel discards changes, Save shows them to everybody', async () => {
    const page = await openAt('/settings/profile', 'My Profile')
    const names = page.getByRole('region', { name: 'You', exact: true })
    await expect(names.getByLabel('Display name')).toBeDisabled()
    await names.getByRole('button', { name: 'Edit' }).click()
    await expect(names.getByLabel('Email')).toBeDisabled()
    await names.getByLabel('Display name').fill('Ada L.')
    await names.getByRole('button', { name: 'Cancel' }).click()
    await expect(names.getByLabel('Display name')).toHaveValue('')
    await names.getByRole('button', { name: 'Edit' }).click()
    await names.getByLabel('Display name').fill('Ada L.')
    await names.getByRole('button', { name: 'Save' }).click()
    await expect(names.getByText('Customers see you as Ada L..')).toBeVisible()
    await page.getByLabel('A customer sends a message').click()
    await page.reload()
    await expect(page.getByLabel('A customer sends a message')).toBeChecked()
    await expectNoFindings(page)
    await page.context().close()
  })

  test('lists where one is signed in, and ends other sessions', async () => {
    const other = await openAt('/settings/profile', 'My Profile')
    const page = await openAt('/settings/profile', 'My Profile')
    const sessions = page.getByRole('region', { name: 'Where you are signed in' })
    await expect(sessions.getByText('This browser')).toBeVisible()
    await sessions.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect(other).toHaveURL(/\/login\?redirect=%2Fsettings%2Fprofile/)
    await expect(other.getByRole('status')).toContainText('You were signed out.')
    await other.context().close()
    await page.context().close()
    // The story's own token was revoked with the others.
    const { data } = await call(scene.url, 'POST', '/api/session', { user: ADA })
    scene.token = data.token
  })
})

/** Fakes an answer; counting seats is tested on the server. */
function answerWith(route: Route, message: string) {
  return message
    ? route.fulfill({ status: 403, json: { error: { status: 403, message } } })
    : route.abort('connectionrefused')
}

describe('the team', () => {
  test('an admin invites, changes roles, ends notifications, disables after confirmation, enables; the invited person joins by the link', async () => {
    const page = await openAt('/settings/team', 'My Team')
    await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
    await page.getByRole('button', { name: 'Generate invite URL' }).click()
    await expect(page.getByText('Copied to clipboard!')).toBeVisible()
    await expect(page.getByLabel('Invite URL')).toHaveValue(/\/register\/[-\w]{36}$/)
    const pending = page.getByRole('table', { name: 'Pending invitations' })
    await expect(pending.getByRole('row')).toHaveCount(2)
    const link = await page.getByLabel('Invite URL').inputValue()
    await pending.getByRole('button', { name: /^Revoke/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click()
    await expect(pending).toHaveCount(0)
    // The invited person sees this before filling anything in.
    const { page: invited } = await openPage(scene.browser)
    await invited.goto(link)
    await expect(invited.getByText('This invitation is no longer valid.')).toBeVisible()
    await expect(invited.getByLabel('Email')).toHaveCount(0)
    await invited.context().close()
    const invite = async (email: string) => {
      await page.getByLabel('Email of the new teammate').fill(email)
      await page.getByRole('button', { name: 'Send invite' }).click()
    }
    await page.getByRole('button', { name: 'Invite teammate' }).click()
    await invite('a@b')
    await expect(page.getByText('Please enter a whole e-mail address')).toBeVisible()
    await expect(page.getByLabel('Email of the new teammate')).toBeFocused()
    await invite(BEN.email)
    await expect(page.getByText('They are on your team already.')).toBeVisible()
    await invite('elsa@acme.test')
    await expect(page.getByText('Invitation was successfully sent to elsa@acme.test!')).toBeVisible()
    await expect(pending).toContainText('elsa@acme.test')
    await expect(pending.getByRole('button', { name: 'Resend' })).toBeVisible()
    const table = page.getByRole('table', { name: 'Team', exact: true })
    await expect(table.getByRole('row')).toHaveCount(3)
    await expect(table.getByText('You', { exact: true })).toBeVisible()
    const actions = table.getByRole('button', { name: `Actions for ${BEN.email}` })
    // The icon ends where the table ends; on a phone, which shows no column titles, the date has a label.
    const [icon, edge] = await Promise.all([actions.locator('svg').boundingBox(), table.boundingBox()])
    expectValue(icon!.x + icon!.width).toBeCloseTo(edge!.x + edge!.width, 0)
    await page.setViewportSize({ width: 390, height: 844 })
    const date = table.getByRole('row').last().locator('td').nth(2)
    const label = date.evaluate((cell) => getComputedStyle(cell, '::before').content)
    expectValue(await label).toContain('Member since')
    await page.setViewportSize({ width: 1440, height: 900 })
    const act = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${BEN.email}` }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await act('Make admin')
    await expect(page.getByText('Successfully changed role!')).toBeVisible()
    // Two admins take each other's role away at once: one is refused, because no admin would be left.
    const lastAdmin = 'This is the only admin of the account. Make another user an admin first.'
    const refusal = { status: 400, json: { error: { status: 400, message: lastAdmin } } }
    await page.route('**/api/users/*/role', (route) => route.fulfill(refusal), { times: 1 })
    await act('Remove admin access')
    await expect(page.getByText('Failed to update role!')).toBeVisible()
    await expect(page.getByText(lastAdmin)).toBeVisible()
    await act('Remove admin access')
    await act('End notifications on devices')
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText(`No device of ${BEN.email} is notified any more.`)).toBeVisible()
    await act('Disable user')
    await page.getByRole('dialog').getByRole('button', { name: 'No' }).click()
    await expect(page.getByRole('table', { name: 'Disabled users' })).toBeHidden()
    await act('Disable user')
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('Successfully disabled user!')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Disabled users' })).toContainText(BEN.email)
    await expectNoFindings(page)
    await act('Enable user')
    await expect(page.getByText('Successfully re-enabled user!')).toBeVisible()
    await expect(table).toContainText(BEN.email)
    const faults = (message: string) => page.route('**/api/user_invitations', (route) => answerWith(route, message))
    await faults('')
    await page.getByRole('button', { name: 'Generate invite URL' }).click()
    await expect(page.getByText('Failed to generate user invitation!')).toBeVisible()
    await faults('No seat is left.')
    await page.getByRole('button', { name: 'Generate invite URL' }).click()
    const notice = page.getByText('Failed to generate user invitation!')
    await expect(notice).toBeVisible()
    await expect(page.getByText('No seat is left.')).toBeVisible()
    // Where no plans are sold there is nothing to upgrade.
    await expect(page.getByRole('button', { name: 'Upgrade subscription' })).toHaveCount(0)
    // In debug mode failed requests are reported in detail.
    await page.route('**/api/inboxes', (route) => answerWith(route, 'No.'))
    await page.goto(`${scene.url}/inboxes?debug=1`)
    await expect(page.getByText('Something went wrong!')).toBeVisible()
    await page.context().close()
  })

  test('an admin removes a second factor after a question, and is told if there is none', async () => {
    const page = await openAt('/settings/team', 'My Team')
    await page.getByRole('button', { name: `Actions for ${BEN.email}` }).click()
    await page.getByRole('menuitem', { name: 'Remove second factor' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('Do this only if they lost it')
    await dialog.getByRole('button', { name: 'Yes' }).click()
    await expect(page.getByText('This user has no second factor.')).toBeVisible()
    await page.context().close()
  })

  test('a disabled user is archived after a question, and leaves the lists', async () => {
    const { data } = await call(scene.url, 'POST', '/api/user_invitations', {}, scene.token)
    const cleo = { email: 'cleo@acme.test', password: BEN.password, password_confirmation: BEN.password }
    await call(scene.url, 'POST', '/api/registration', { user: { ...cleo, invite_token: data.id } })
    const page = await openAt('/settings/team', 'My Team')
    const act = async (name: string, answer: string) => {
      await page.getByRole('button', { name: `Actions for ${cleo.email}` }).click()
      await page.getByRole('menuitem', { name }).click()
      await page.getByRole('dialog').getByRole('button', { name: answer }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await act('Disable user', 'Yes')
    const disabled = page.getByRole('table', { name: 'Disabled users' })
    await expect(disabled).toContainText(cleo.email)
    await act('Archive user', 'No')
    await expect(disabled).toContainText(cleo.email)
    await act('Archive user', 'Yes')
    await expect(page.getByText('Successfully archived user!')).toBeVisible()
    await expect(page.locator('main')).not.toContainText(cleo.email)
    await page.context().close()
  })

  test('a member sees the team without menus, and that the account is for admins', async () => {
    const { page } = await openPage(scene.browser)
    await signInAs(page, BEN)
    await expect(page).toHaveURL(/\/conversations\/all$/)
    await page.goto(`${scene.url}/settings/team`)
    await expect(page.getByRole('table', { name: 'Team' })).toContainText('Ada L.')
    await expect(page.getByRole('button', { name: /Actions for/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Generate invite URL' })).toHaveCount(0)
    for (const path of ['/settings/account', '/settings/audit', '/inboxes']) {
      await page.goto(scene.url + path)
      await expect(page.getByRole('heading', { name: /admins/i })).toBeVisible()
    }
    await page.goto(`${scene.url}/customers`)
    await expect(page.getByText('Only admins export the list and delete customers.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0)
    await page.goto(`${scene.url}/getting-started`)
    await expect(page.getByRole('list').getByRole('link')).toHaveText(['Introduce yourself'])
    await expectNoFindings(page)
    await page.context().close()
  })
})

describe('the account', () => {
  test('shows its token, saves changes, and accepts only whole numbers for reminders', async () => {
    const page = await openAt('/settings/overview', 'Account Overview')
    await expect(page.getByRole('textbox', { name: 'Account token' })).toHaveValue(scene.account_id)
    const company = page.getByRole('region', { name: 'Company' })
    await company.getByRole('button', { name: 'Edit' }).click()
    await company.getByLabel('Company name').fill('Acme & Daughters')
    await company.getByRole('button', { name: 'Save' }).click()
    await expect(company.getByRole('button', { name: 'Edit' })).toBeVisible()
    const reminders = page.getByRole('region', { name: 'Conversation reminders' })
    await expect(reminders.getByLabel('Hours between two reminders')).toHaveValue('72')
    await reminders.getByRole('button', { name: 'Edit' }).click()
    await reminders.getByLabel('Remind the team').check()
    await reminders.getByLabel('Hours between two reminders').fill('2.5')
    await expect(reminders.getByLabel('Hours between two reminders')).toHaveValue('72')
    await reminders.getByLabel('Hours between two reminders').fill('24')
    await reminders.getByRole('button', { name: 'Save' }).click()
    await expect(reminders.getByRole('button', { name: 'Edit' })).toBeVisible()
    const retention = page.getByRole('region', { name: 'How long to keep conversations' })
    await retention.getByRole('button', { name: 'Edit' }).click()
    await retention.getByLabel('Delete closed conversations automatically').check()
    await retention.getByLabel('Days after the last message').fill('90')
    await retention.getByRole('button', { name: 'Save' }).click()
    await expect(retention.getByRole('button', { name: 'Edit' })).toBeVisible()
    await page.reload()
    await expect(retention.getByLabel('Days after the last message')).toHaveValue('90')
    await expect(company.getByLabel('Company name')).toHaveValue('Acme & Daughters')
    await expect(reminders.getByLabel('Hours between two reminders')).toHaveValue('24')
    await expect(page.getByRole('region', { name: 'Mails' })).toContainText('No mail server is set up')
    await expectNoFindings(page)
    await page.getByRole('link', { name: 'Audit trail' }).click()
    await expect(page.getByRole('table', { name: 'Audit trail' })).toContainText('User disabled')
    await expect(page.getByText('Days after the last message: nothing → 90')).toBeVisible()
    await page.getByLabel('What').selectOption('Invitations')
    await expect(page.getByRole('table', { name: 'Audit trail' })).not.toContainText('User disabled')
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await file).suggestedFilename()).toBe('audit.csv')
    await expectNoFindings(page)
    await page.context().close()
  })

  test('before deleting it, the dialog says what stays in connected systems', async () => {
    const page = await openAt('/settings/overview', 'Account Overview')
    await page.getByRole('button', { name: 'Delete account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this account' })
    await expect(dialog).toContainText('What went to connected systems stays there')
    await expect(dialog).toContainText('posts in Slack and Mattermost')
    await expectNoFindings(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await page.context().close()
  })

  test('the first steps show what is done and link to the rest', async () => {
    const page = await openAt('/getting-started', 'Get started')
    const done = page.getByRole('listitem').filter({ hasText: 'Introduce yourself' })
    await expect(done).toContainText('Done')
    await expectNoFindings(page)
    await page.getByRole('link', { name: 'Invite your teammates' }).click()
    await expect(page).toHaveURL(/\/settings\/team$/)
    // Old addresses, and one that never existed.
    for (const [path, target] of [
      ['/account/team', '/settings/team'],
      ['/account/overview', '/settings/overview'],
      ['/saved-replies', '/settings/saved-replies'],
      ['/nowhere', '/conversations/all'],
    ] as const) {
      await page.goto(scene.url + path)
      await expect(page).toHaveURL(scene.url + target)
    }
    await page.goto(`${scene.url}/settings/nowhere`)
    const links = page.getByRole('navigation', { name: 'Settings' })
    await expect(links.locator('[aria-current="page"]')).toHaveText('Account')
    await page.context().close()
  })
})
