import { sql } from 'kysely'
import type { User } from '#contract/accounts/users.ts'
import { type CompanyProfile, type Message, VisitorMessage } from '#contract/conversations/messages.ts'
import { pick } from '../../../pick.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'

/**
 * What a customer may know of a team member; decided here only. Where an inbox shows the company instead of people, it
 * is the company's name and picture. The id stays, because published clients use it to tell authors apart. They also
 * derive a name from the e-mail address when there is no other, so only the part before the @ stays.
 */
function knownToCustomer(user: User, company: CompanyProfile | undefined): User {
  if (!company) return { ...user, email: user.email.split('@', 1)[0] ?? '' }
  return { ...user, email: '', full_name: null, display_name: company.name, profile_photo_url: company.logo }
}

/**
 * Keys of metadata that say something to the team or to the server, such as who was mentioned or who got a blind copy of an
 * e-mail. Customers neither read nor write them.
 */
const RESERVED = /^(?:mentions|is_reminder|reminder_count|(?:mail|gmail|ses|slack|mattermost|twilio)_.*)$/

/** Metadata without the reserved keys. */
export function metadataOfCustomer(metadata: Message['metadata'] | undefined): Message['metadata'] {
  if (!metadata) return null
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !RESERVED.test(key)))
}

/** A message as its customer may see it. If a company is given, it replaces the author. */
export function forCustomer(message: Message, company?: CompanyProfile): VisitorMessage {
  const { customer: _, external_author, ...shown } = message
  const user = message.user && knownToCustomer(message.user, company)
  const author = !company && external_author ? { external_author } : {}
  return pick(VisitorMessage, { ...shown, ...author, user, metadata: metadataOfCustomer(message.metadata) })
}

/** The same for several messages, each by the settings of its inbox. */
export async function listForCustomer(db: Db, account_id: string, messages: Message[]): Promise<VisitorMessage[]> {
  const answered = messages.filter(({ user }) => user).map(({ conversation_id }) => conversation_id)
  const companies = await loadCompanyProfiles(db, account_id, answered)
  return messages.map((message) => forCustomer(message, companies.get(message.conversation_id)))
}

/** The company shown to the customer in place of the author, if the inbox hides its people. */
export async function findCompanyProfile(db: Db, message: Message): Promise<CompanyProfile | undefined> {
  const { account_id, conversation_id, user } = message
  const companies = await loadCompanyProfiles(db, account_id, user && !message.private ? [conversation_id] : [])
  return companies.get(conversation_id)
}

/** The company profile of each row of `conversations`; null if its inbox shows people. */
export const companyProfile = sql<CompanyProfile | null>`(
  select json_build_object(
    'name', coalesce(nullif(widget_settings.name, ''), accounts.company_name),
    'logo', coalesce(nullif(widget_settings.logo, ''), accounts.company_logo_url)
  )
  from widget_settings join accounts on accounts.id = widget_settings.account_id
  where widget_settings.account_id = conversations.account_id and widget_settings.inbox_id = conversations.inbox_id
    and widget_settings.use_company_profile_only
)`

/** Company profiles by conversation, for conversations whose inbox hides its people. */
export async function loadCompanyProfiles(
  db: Db,
  account_id: string,
  conversation_ids: string[],
): Promise<Map<string, CompanyProfile>> {
  if (conversation_ids.length === 0) return new Map()
  const rows = await ofAccount(db, account_id)
    .selectFrom('conversations')
    .select(['id', companyProfile.as('company')])
    // One array parameter: the statement is the same for any number of ids, so it can stay prepared.
    .where('id', 'in', [...new Set(conversation_ids)])
    .execute()
  return new Map(rows.flatMap(({ id, company }) => (company ? [[id, company]] : [])))
}
