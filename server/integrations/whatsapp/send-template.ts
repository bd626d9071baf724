import type { Message } from '#contract/conversations/messages.ts'
import { renderTemplate } from '#contract/integrations/whatsapp.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import type { User } from '../../platform/caller.ts'
import type { Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { newId } from '../../platform/secrets.ts'
import { listTemplates } from './templates.ts'

interface ChosenTemplate {
  id?: string | undefined
  name: string
  language: string
  variables?: Record<string, string> | undefined
}

/**
 * Sends a template in a conversation in the name of the caller, at any time. Its text, filled in here, is the message.
 * @throws NotFound; Unacceptable for an unknown template or missing values; the refusals of posting a message
 */
export async function sendTemplate(
  context: Context,
  { account_id, user_id }: User,
  conversation_id: string,
  { id = newId(), name, language, variables = {} }: ChosenTemplate,
): Promise<Message> {
  const templates = await listTemplates(context, account_id, conversation_id, false)
  const template = templates.find((one) => one.name === name && one.language === language)
  if (!template)
    throw new Unacceptable('WhatsApp has no approved template of this name and language that consists of text.')
  const missing = template.variables.filter(({ key }) => !variables[key]?.trim())
  if (missing.length > 0) throw new Unacceptable(`Fill in ${missing.map(({ key }) => key).join(', ')}.`)
  const values = Object.fromEntries(template.variables.map(({ key }) => [key, tidy(variables[key]!)]))
  return context.change(async (tx) => {
    const draft = {
      id,
      conversation_id,
      body: renderTemplate(template, values),
      type: 'reply' as const,
      isTemplate: true,
    }
    const message = await postMessage(context, tx, account_id, { kind: 'user', user_id }, draft)
    await tx.db
      .insertInto('whatsapp_template_messages')
      .values({ account_id, message_id: message.id, name, language, variables: JSON.stringify(values) })
      .onConflict((conflict) => conflict.columns(['account_id', 'message_id']).doNothing())
      .execute()
    return message
  })
}

/** WhatsApp refuses line breaks and runs of spaces in values. */
function tidy(value: string): string {
  return value.replace(/\s+/g, ' ').trim()
}

interface SentTemplate {
  name: string
  language: string
  variables: Record<string, string>
}

/** The template that a message is sent as, if it is one. */
export function readSentTemplate(db: Db, account_id: string, message_id: string): Promise<SentTemplate | undefined> {
  return ofAccount(db, account_id)
    .selectFrom('whatsapp_template_messages')
    .select(['name', 'language', 'variables'])
    .where('message_id', '=', message_id)
    .$castTo<SentTemplate>()
    .executeTakeFirst()
}

/** A template as Meta wants it: values in the order of their numbers, or with their names. */
export function writeTemplate({ name, language, variables }: SentTemplate): object {
  const components = (['header', 'body'] as const).flatMap((part) => {
    const values = Object.entries(variables).filter(([key]) => key.startsWith(`${part}.`))
    const parameters = values
      .map(([key, text]) => ({ name: key.slice(part.length + 1), text }))
      .sort((a, b) => Number(a.name) - Number(b.name) || 0)
      .map((value) => ({
        type: 'text',
        text: value.text,
        ...(!/^\d+$/.test(value.name) && { parameter_name: value.name }),
      }))
    return parameters.length > 0 ? [{ type: part, parameters }] : []
  })
  return { name, language: { code: language }, components }
}
