import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { NotFound, Unacceptable } from '../../errors.ts'
import { connectAuthorization } from '../../features/connections/authorizations/connect.ts'
import { adoptWaiting } from '../../features/connections/deliveries/disconnected.ts'
import { chooseInbox } from '../../features/widget/inboxes/inboxes.ts'
import type { Consent } from '../../integration.ts'
import { consentUrl, exchangeCode } from '../../platform/oauth/oauth.ts'
import { callGoogle, type GoogleConnection, googleApp, grantOf, slotOf } from './client.ts'

const Profile = z.object({ emailAddress: z.string(), historyId: z.string() })

/** The address of a mailbox, and its current history id. */
export async function readProfile(context: Context, token: string) {
  const url = `${context.config.gmailApiUrl}/gmail/v1/users/me/profile`
  const { emailAddress, historyId } = z.parse(Profile, (await callGoogle(context, token, { url })).body)
  return { email: emailAddress.toLowerCase(), history_id: historyId }
}

/** Connects the mailbox of an inbox, or of one person, through Google's consent page. */
export const gmailConsent: Consent = {
  begin: async (context, { account_id }, start) => consentUrl(await googleApp(context, account_id, 'gmail'), start),
  async finish(context, caller, { code, verifier, type, inbox_id }) {
    if (!code) throw new Unacceptable('Google returned no code. Start again.')
    const { account_id, user_id } = caller
    const app = await googleApp(context, account_id, 'gmail')
    const grant = grantOf(await exchangeCode(context.outbound, app, { code, verifier }), 'gmail')
    const { email, history_id } = await readProfile(context, grant.credentials.access_token)
    const isPersonal = type === 'personal'
    const inbox = isPersonal ? null : await chooseInbox(context.db, account_id, inbox_id)
    if (!isPersonal && !inbox) throw new NotFound()
    return context.change(async (tx) => {
      const connected = await connectAuthorization(context, tx, caller, {
        ...grant,
        integration: 'gmail',
        inbox_id: inbox?.id ?? null,
        user_id,
        slot: slotOf(type, user_id),
        label: email,
        // A personal mailbox is not read, and may be that of an inbox, too.
        address: isPersonal ? null : email,
        way_in: isPersonal ? 'none' : 'polled',
        settings: { type, email },
        // Earlier mails are not imported.
        cursor: isPersonal ? null : { history_id, synced_at: new Date().toISOString() },
      })
      await adoptWaiting(tx, account_id, connected)
      return connected
    })
  },
}

/** The sender address of its mails. */
export function emailOf({ settings, label }: Pick<GoogleConnection, 'settings' | 'label'>): string {
  return settings.email ?? label
}
