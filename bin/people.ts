import type { Config } from '#server/config.ts'
import { BadRequest } from '#server/errors.ts'
import { recordAudit } from '#server/features/accounts/audit/audit.ts'
import { findUserByEmail } from '#server/features/accounts/auth-sessions/auth-sessions.ts'
import { removeLostTwoFactor } from '#server/features/accounts/auth-sessions/lost-two-factor.ts'
import { hoursOf, makeOneTimeToken } from '#server/features/accounts/auth-sessions/one-time-tokens.ts'
import { setRole } from '#server/features/accounts/team/team.ts'
import { getUser } from '#server/features/accounts/users/users.ts'
import { appendEvents } from '#server/features/developers/events/event-log.ts'
import { applySavedAddress } from '#server/features/operations/operations/address.ts'
import { createChange, type Db } from '#server/platform/db/change.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import { createMailer } from '#server/platform/mail/mailer.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/** What an operator does for people who are locked out, or lack a right. */
export interface People {
  config: Config
  db: Db
  jobs: Jobs
}

/**
 * Creates a link for setting a new password, for somebody who receives no mail.
 * @returns a sentence with the link
 * @throws OperatorError when nobody has this address, or may not sign in
 */
export async function resetPasswordOf({ config, db }: People, address: string): Promise<string> {
  const user = await findPerson(db, address)
  await applySavedAddress(db, config)
  const token = await changing(db)(async (change) => {
    await recordAudit(change, operatorFor(user), { action: 'password.reset_by_operator', ...subject(user) })
    return makeOneTimeToken(change, user, 'password_reset')
  })
  return `${user.email} can choose a new password here within ${hoursOf('password_reset')} hours:\n${config.baseUrl}/reset?token=${token}`
}

/**
 * Removes a second factor that somebody lost, who signs in with the password alone from then on.
 * @returns a sentence about it
 * @throws OperatorError when nobody has this address, may not sign in, or has no second factor
 */
export async function resetSecondFactor({ db, jobs }: People, address: string): Promise<string> {
  const user = await findPerson(db, address)
  await changing(db)((change) => removeLostTwoFactor({ jobs }, change, operatorFor(user), user)).catch((error) => {
    throw error instanceof BadRequest ? new OperatorError(error.message) : error
  })
  return `${user.email} signs in with the password alone until they set up a new second factor, and gets a mail about it.`
}

/**
 * Makes somebody an admin of their account, also while the server runs.
 * @returns a sentence about it
 * @throws OperatorError when nobody has this address, or may not sign in
 */
export async function makeAdmin({ db }: People, address: string): Promise<string> {
  const user = await findPerson(db, address)
  const { role } = await getUser(db, user.account_id, user.user_id)
  if (role === 'admin') return `${user.email} is an admin already.`
  await changing(db)(async (change) => {
    await setRole(change, user.account_id, user.user_id, 'admin')
    const audited = { action: 'user.role_changed', ...subject(user), details: { role: 'admin', by: 'operator' } }
    await recordAudit(change, operatorFor(user), audited)
  })
  return `${user.email} is an admin now.`
}

/**
 * Sends a mail with the settings of the installation, at once and past the queue.
 * @returns a sentence about it
 * @throws OperatorError with what the mail server said
 */
export async function sendTestMail(config: Config, log: Log, to: string): Promise<string> {
  if (!config.smtpUrl) throw new OperatorError('No SMTP_URL is set, so mails are stored but not sent.')
  const mailer = createMailer(config.smtpUrl, config.mailFrom, log)
  const text = `This mail server accepts mails from Parley at ${config.baseUrl}.`
  try {
    await mailer.send({
      message_id: `<test-${Date.now()}@${new URL(config.baseUrl).hostname}>`,
      to,
      from_name: null,
      reply_to: null,
      subject: 'A test mail from Parley',
      text,
      html: `<p>${text}</p>`,
      headers: {},
    })
  } catch (error) {
    throw new OperatorError(`The mail server of SMTP_URL did not accept the mail: ${(error as Error).message}`)
  } finally {
    mailer.close()
  }
  return `The mail server accepted a mail to ${to}. If it does not arrive, check the spam folder, and the SPF and DKIM records of ${config.mailFrom}.`
}

type Person = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>

async function findPerson(db: Db, address: string): Promise<Person> {
  const user = await findUserByEmail(db, address)
  if (!user) throw new OperatorError(`No user has the e-mail address ${address}.`)
  if (user.disabled_at || user.archived_at) {
    throw new OperatorError(`${user.email} is disabled. An admin of their account can enable them under Team.`)
  }
  return user
}

/** Running servers learn of the change from the event log. */
function changing(db: Db) {
  return createChange(db, { append: appendEvents, publish: () => undefined })
}

function operatorFor({ account_id }: Person) {
  return { account_id, user_id: null, address: '' }
}

function subject({ user_id, email }: Person) {
  return { subject_id: user_id, subject_name: email }
}
