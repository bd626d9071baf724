import { type Context, perServer } from '../../../context.ts'
import { type Repeating, repeat } from '../../../platform/repeating.ts'

/** How often a mail server that was not usable is tried again. */
const RETRY_MS = 60_000

const checksOf = perServer(() => ({ repeating: undefined as Repeating | undefined }))

/**
 * Checks in the background whether the mail server of SMTP_URL can be used, at the start and then until it can, so that a
 * wrong setting is in the log and on the health page before the first mail waits because of it.
 */
export function startMailServerChecks(context: Context): void {
  const { mailer } = context
  if (!mailer.isOn) return
  void checkMailServer(context)
  checksOf(context).repeating = repeat(RETRY_MS, async () => {
    if (mailer.problem()) await checkMailServer(context)
  })
}

/** Ends the checks. One in progress ends with the connections of the mailer. */
export function stopMailServerChecks(context: Context): void {
  void checksOf(context).repeating?.stop()
}

async function checkMailServer({ mailer, log }: Context): Promise<void> {
  const before = mailer.problem()
  await mailer.verify()
  const problem = mailer.problem()
  if (problem && problem !== before) log.warn({ problem }, 'The mail server of SMTP_URL cannot be used')
  if (!problem && before) log.info('The mail server of SMTP_URL can be used again')
}
