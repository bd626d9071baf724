import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, ifAny, maybe, Text, Timestamp } from '../wire.ts'

/**
 * What an assistant may do in its user's name: read, change what can be undone (notes, tags, status), and write replies.
 * A reply waits for a person's press unless an admin has decided otherwise.
 */
export const ASSISTANT_SCOPES = ['read', 'write', 'send'] as const
export const AssistantScope = z.enum(ASSISTANT_SCOPES)
export type AssistantScope = z.output<typeof AssistantScope>

/** What a user has allowed a program that acts in their name. */
export const Assistant = z.object({
  id: z.string(),
  object: z.literal('assistant'),
  name: z.string().check(z.describe('The name that the program gives itself. It proves nothing.')),
  redirect_host: z.string().check(z.describe('Where its user was sent back to, which identifies it best.')),
  scopes: z.array(AssistantScope),
  user_id: z.int32().check(z.describe('In whose name it acts.')),
  created_at: Timestamp,
  last_used_at: z.nullable(Timestamp).check(z.describe('Accurate to a minute.')),
})
export type Assistant = z.output<typeof Assistant>

/** Whether programs may connect to the account as assistants. */
export const AssistantSettings = z.object({
  is_enabled: z.boolean().check(z.describe('Whether programs may connect at all.')),
  may_send: z
    .boolean()
    .check(z.describe('Whether their replies are sent at once. Otherwise each waits for a person who presses Send.')),
  url: z.string().check(z.describe('The address that people enter in their assistant.')),
})
export type AssistantSettings = z.output<typeof AssistantSettings>

const SettingsChanges = z.object({
  is_enabled: ifAny(BooleanInput).check(z.describe('Whether programs may connect at all.')),
  may_send: ifAny(BooleanInput).check(z.describe('Whether their replies are sent at once.')),
})
export type AssistantSettingsChanges = z.output<typeof SettingsChanges>

/** A request for consent, as the program wrote it into the address of the consent page (OAuth 2.1). */
export const ConsentRequest = z.object({
  client_id: FilledText(4000).check(
    z.describe('An https address of its metadata, or the id that registration gave it.'),
  ),
  redirect_uri: FilledText(2000).check(z.describe('Where the answer goes: one of the program’s own addresses.')),
  response_type: maybe(Text(20)).check(z.describe('Always `code`.')),
  scope: maybe(Text(200)).check(z.describe('Scopes, separated by blanks.')),
  state: maybe(Text(2000)).check(z.describe('Returned as it is.')),
  code_challenge: maybe(Text(128)).check(z.describe('SHA-256 of the verifier, in base64url (PKCE).')),
  code_challenge_method: maybe(Text(10)).check(z.describe('Always `S256`.')),
  resource: maybe(Text(2000)).check(z.describe('For which server the tokens are meant.')),
})
export type ConsentRequest = z.output<typeof ConsentRequest>

/** Who asks for consent, for the person who decides. */
const Consent = z.object({
  name: z.string().check(z.describe('The name that the program gives itself. It proves nothing.')),
  redirect_host: z.string().check(z.describe('Where the answer goes.')),
  is_local: z
    .boolean()
    .check(
      z.describe('Whether that is a program on the person’s own machine, which any program there can claim to be.'),
    ),
  scopes: z.array(AssistantScope).check(z.describe('What it asks for.')),
  refusal_url: z.string().check(z.describe('Where the person is sent after a refusal.')),
})
export type Consent = z.output<typeof Consent>

/** Calls about programs that act in a user's name: connections, consent, and whether there are any. */
export const assistants = {
  list: endpoint('user', 'GET', '/api/assistants', {
    session_only: true,
    summary: 'Lists the assistants of the caller; for admins those of the whole team. Newest first, at most 200.',
    answer: data(z.array(Assistant)),
  }),
  revoke: endpoint('user', 'DELETE', '/api/assistants/:id', {
    session_only: true,
    summary: 'Disconnects an own assistant; admins may disconnect any. Its tokens are invalid from then on.',
    answer: z.null(),
    status: 204,
  }),
  settings: endpoint('user', 'GET', '/api/assistant_settings', {
    session_only: true,
    summary: 'Returns whether assistants may connect, and the address for them.',
    answer: data(AssistantSettings),
  }),
  changeSettings: endpoint('admin', 'PUT', '/api/assistant_settings', {
    session_only: true,
    summary:
      'Changes whether assistants may connect, and whether they may send. Off disconnects nobody, but answers nobody.',
    body: SettingsChanges,
    answer: data(AssistantSettings),
  }),
  describeConsent: endpoint('user', 'POST', '/api/assistants/consent/description', {
    session_only: true,
    summary: 'Checks a request for consent, and returns who asks for what.',
    body: ConsentRequest,
    answer: data(Consent),
  }),
  consent: endpoint('user', 'POST', '/api/assistants/consent', {
    session_only: true,
    summary: 'Allows an assistant to act in the caller’s name, within these scopes. Returns where to send the browser.',
    body: z.extend(ConsentRequest, { scopes: z.array(AssistantScope).check(z.minLength(1)) }),
    answer: data(z.object({ redirect_to: z.string().check(z.describe('The program’s address, with a code.')) })),
    status: 201,
    location: 'none',
  }),
}
