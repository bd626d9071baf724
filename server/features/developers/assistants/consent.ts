import {
  ASSISTANT_SCOPES,
  type AssistantScope,
  type Consent,
  type ConsentRequest,
} from '#contract/developers/assistants.ts'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { SignedInUser } from '../../../platform/caller.ts'
import { assertRedirect, type Client, findClient, hostOf, isLocal } from './clients.ts'
import { createGrant } from './grants.ts'
import { isOwnResource, loadAssistantSettings } from './settings.ts'

/**
 * Checks a request for consent, and returns who asks for what.
 * @throws Unacceptable with a sentence for the person who is asked
 */
export async function describeConsent(context: Context, caller: SignedInUser, asked: ConsentRequest): Promise<Consent> {
  const client = await checkRequest(context, caller, asked)
  const { redirect_uri } = asked
  return {
    name: client.name,
    redirect_host: hostOf(redirect_uri),
    is_local: isLocal(redirect_uri),
    scopes: scopesOf(asked.scope),
    refusal_url: addressOf(context, asked, { error: 'access_denied' }),
  }
}

/** Stores the consent of a person, and returns where to send their browser. @throws as `describeConsent` */
export async function giveConsent(
  context: Context,
  caller: SignedInUser,
  asked: ConsentRequest & { scopes: AssistantScope[] },
): Promise<string> {
  const client = await checkRequest(context, caller, asked)
  const { redirect_uri, code_challenge } = asked
  const scopes = ASSISTANT_SCOPES.filter((scope) => asked.scopes.includes(scope))
  const code = await context.change((tx) =>
    createGrant(tx, caller, { client, redirect_uri, code_challenge: code_challenge!, scopes }),
  )
  return addressOf(context, asked, { code })
}

async function checkRequest(context: Context, { account_id }: SignedInUser, asked: ConsentRequest): Promise<Client> {
  const { is_enabled } = await loadAssistantSettings(context.db, context.config, account_id)
  if (!is_enabled)
    throw new Unacceptable('Assistants are switched off in this account. An admin can change that under Assistants.')
  const client = await findClient(context, asked)
  assertRedirect(client, asked.redirect_uri)
  if (asked.response_type !== 'code') throw new Unacceptable('This program asks in a way that is not supported.')
  // Without it, whoever intercepts the code could use it.
  if (asked.code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(asked.code_challenge ?? ''))
    throw new Unacceptable('This program asks without PKCE (S256), which is required.')
  if (!isOwnResource(context.config, asked.resource))
    throw new Unacceptable('This program asks for access to another server.')
  return client
}

/** What is asked for; everything but sending, if nothing is named. */
function scopesOf(scope: string | null | undefined): AssistantScope[] {
  const named = ASSISTANT_SCOPES.filter((candidate) => scope?.split(' ').includes(candidate))
  return named.length > 0 ? named : ['read', 'write']
}

function addressOf(
  { config }: Context,
  { redirect_uri, state }: ConsentRequest,
  answer: Record<string, string>,
): string {
  const url = new URL(redirect_uri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value)
  if (state) url.searchParams.set('state', state)
  // So that a program cannot take the answer of one server for that of another (RFC 9207).
  url.searchParams.set('iss', config.baseUrl)
  return url.href
}
