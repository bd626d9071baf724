import type { Authorization, IntegrationName } from '#contract/connections/integrations.ts'
import type { OAuthType, oauth } from '#contract/connections/oauth.ts'
import type { Body } from '#contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, Refusal, Unacceptable } from '../../../errors.ts'
import type { Consent, Returned } from '../../../integration.ts'
import type { SignedInUser, User } from '../../../platform/caller.ts'
import { OAuthRefused } from '../../../platform/oauth/oauth.ts'
import { getInbox } from '../../widget/inboxes/inboxes.ts'
import { assertSwitchedOn } from '../authorizations/connect.ts'
import { openStart, redeemStart } from '../authorizations/oauth-starts.ts'
import { asRefusal } from '../authorizations/vendor-call.ts'
import { wakeSender } from '../deliveries/sender.ts'

/** Sends a user to a vendor's consent page. @throws Refusal */
export async function startOAuth(
  context: Context,
  caller: SignedInUser,
  { integration, inbox_id = null, type = 'support' }: Body<typeof oauth.start>,
): Promise<{ url: string; state: string }> {
  assertSwitchedOn(context)
  assertAdmin(caller, type)
  const consent = consentOf(context, integration)
  if (inbox_id) await getInbox(context.db, caller.account_id, inbox_id)
  const start = await context.change((tx) => openStart(context, tx, caller, { integration, type, inbox_id }))
  return { url: await consent.begin(context, caller, start), state: start.state }
}

/**
 * Connects with the parameters of the redirect. The state is used up before the vendor is called, so that a repeat
 * connects nothing.
 * @throws Refusal with a sentence that says what to do
 */
export async function finishOAuth(context: Context, caller: SignedInUser, returned: Body<typeof oauth.finish>) {
  assertSwitchedOn(context)
  const start = await context.change((tx) => redeemStart(context, tx, caller, returned.state))
  const { integration, type, inbox_id } = start
  assertAdmin(caller, type)
  if (returned.error) throw refusedThere(returned.error, returned.error_description)
  const connected = await connectReturned(context, caller, integration, { ...returned, ...start })
  return { ok: true, id: connected?.id ?? null, integration, type, inbox_id }
}

/**
 * The same for a client of Papercups, which has no state: only its token shows that the user wanted this, so our
 * own pages never use it.
 */
export async function finishWithoutState(
  context: Context,
  caller: User,
  integration: IntegrationName,
  returned: Returned,
): Promise<{ id: string | null }> {
  assertSwitchedOn(context)
  const connected = await connectReturned(context, caller, integration, returned)
  return { id: connected?.id ?? null }
}

async function connectReturned(
  context: Context,
  caller: User,
  integration: IntegrationName,
  returned: Returned,
): Promise<Authorization | null> {
  try {
    const connected = await consentOf(context, integration).finish(context, caller, returned)
    await context.liveConnections.reconcile()
    // Deliveries that waited while it was disconnected or broken.
    wakeSender(context)
    return connected
  } catch (error) {
    if (error instanceof OAuthRefused) throw new Refusal(401, `${error.message} Start again.`, error.code)
    throw asRefusal(error)
  }
}

/** Members may only connect their own mailbox. */
function assertAdmin({ role }: User, type: OAuthType): void {
  if (role === 'admin' || type === 'personal') return
  throw new Forbidden('Only admins may connect integrations for the whole team.')
}

function consentOf({ integrations }: Context, name: IntegrationName): Consent {
  const consent = integrations.get(name)?.consent
  if (!consent) throw new Unacceptable('This integration is not connected with OAuth.')
  return consent
}

function refusedThere(error: string, description: string | null | undefined): Refusal {
  if (error === 'access_denied')
    return new Refusal(403, 'You did not grant access, so nothing was connected.', 'access_denied')
  return new Refusal(422, `The service refused access: ${description || error}`, 'refused_there')
}
