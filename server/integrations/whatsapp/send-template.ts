import type { Message } from '#contract/conversations/messages.ts'
import { renderTemplate } from '#contract/integrations/whatsapp.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { postMessage } from '../../features/conversations/conversations/posting.ts'
import { loadFiles } from '../../features/conversations/files/files.ts'
import type { User } from '../../platform/caller.ts'
import type { Db } from '../../platform/db/change.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { toJson } from '../../platform/db/to-json.ts'
import { newId } from '../../platform/secrets.ts'
import { mediaKindOf } from './media.ts'
import { listTemplates } from './templates.ts'

interface ChosenTemplate {
  id?: string | undefined
  name: string
  language: string
  variables?: Record<string, string> | undefined
  file_id?: string | undefined
  send_anyway?: boolean | undefined
}

/**
 * Sends a template in a conversation in the name of the caller, at any time. Its text, filled in here, is the message.
 * @throws NotFound; Unacceptable for an unknown template or missing values; the refusals of posting a message
 */
export async function sendTemplate(
  context: Context,
  { account_id, user_id }: User,
  conversation_id: string,
  { id = newId(), name, language, variables = {}, file_id, send_anyway }: ChosenTemplate,
): Promise<Message> {
  const templates = await listTemplates(context, account_id, conversation_id, false)
  const template = templates.find((candidate) => candidate.name === name && candidate.language === language)
  if (!template)
    throw new Unacceptable('WhatsApp has no approved template of this name and language that can be filled in here.')
  const missing = template.variables.filter(({ key }) => !variables[key]?.trim())
  if (missing.length > 0) throw new Unacceptable(`Fill in ${missing.map(({ key }) => key).join(', ')}.`)
  if (template.header_media) await assertFits(context.db, account_id, template.header_media, file_id)
  const values = Object.fromEntries(template.variables.map(({ key }) => [key, tidy(variables[key]!)]))
  return context.change(async (tx) => {
    const draft = {
      id,
      conversation_id,
      body: renderTemplate(template, values),
      type: 'reply' as const,
      isTemplate: true,
      ...(template.header_media && file_id && { file_ids: [file_id] }),
      send_anyway,
    }
    const message = await postMessage(context, tx, account_id, { kind: 'user', user_id }, draft)
    await tx.db
      .insertInto('whatsapp_template_messages')
      .values({ account_id, message_id: message.id, name, language, variables: toJson(values) })
      .onConflict((conflict) => conflict.columns(['account_id', 'message_id']).doNothing())
      .execute()
    return message
  })
}

/** What WhatsApp takes as a heading of each kind. */
const HEADINGS = {
  image: 'a JPEG or PNG picture of at most 5 MB',
  video: 'an MP4 or 3GP video of at most 16 MB',
  document: 'a PDF, text or Office document',
}

/** @throws Unacceptable if the file does not exist or is of another kind */
async function assertFits(
  db: Db,
  account_id: string,
  kind: keyof typeof HEADINGS,
  file_id: string | undefined,
): Promise<void> {
  const [file] = await loadFiles(db, account_id, file_id ? [file_id] : [])
  if (!file || mediaKindOf(file) !== kind)
    throw new Unacceptable(`This template needs ${HEADINGS[kind]} as its heading.`)
}

/** WhatsApp refuses line breaks and runs of spaces in values. */
function tidy(value: string): string {
  return value.replace(/\s+/g, ' ').trim()
}

export interface SentTemplate {
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

/**
 * A template as Meta wants it: values in the order of their numbers, or with their names. `heading` is the file that is
 * sent as its heading, if it has one.
 */
export function writeTemplate({ name, language, variables }: SentTemplate, heading?: object): object {
  const texts = (['header', 'body'] as const).flatMap((part) => {
    const parameters = valuesOf(variables, part)
      .sort((a, b) => Number(a.name) - Number(b.name) || 0)
      .map((value) => ({
        type: 'text',
        text: value.text,
        ...(!/^\d+$/.test(value.name) && { parameter_name: value.name }),
      }))
    return parameters.length > 0 ? [{ type: part, parameters }] : []
  })
  const buttons = [
    ...valuesOf(variables, 'url').map(({ name: index, text }) => buttonOf('url', index, { type: 'text', text })),
    ...valuesOf(variables, 'code').map(({ name: index, text }) =>
      buttonOf('copy_code', index, { type: 'coupon_code', coupon_code: text }),
    ),
  ]
  const headings = heading ? [{ type: 'header', parameters: [heading] }] : []
  return { name, language: { code: language }, components: [...headings, ...texts, ...buttons] }
}

/** The values of one part of a template, by the rest of their keys. */
function valuesOf(variables: Record<string, string>, part: string): { name: string; text: string }[] {
  return Object.entries(variables)
    .filter(([key]) => key.startsWith(`${part}.`))
    .map(([key, text]) => ({ name: key.slice(part.length + 1), text }))
}

function buttonOf(sub_type: string, index: string, parameter: object): object {
  return { type: 'button', sub_type, index, parameters: [parameter] }
}
