import * as z from 'zod/mini'
import { type IntegrationName, kindOf } from '#contract/connections/kinds.ts'
import { type TemplateVariable, WhatsappTemplate } from '#contract/integrations/whatsapp.ts'
import type { Context } from '../../context.ts'
import { Unacceptable } from '../../errors.ts'
import { findConnected, loadConnected } from '../../features/connections/authorizations/authorizations.ts'
import { saveCursor } from '../../features/connections/authorizations/connect.ts'
import { runForCaller } from '../../features/connections/authorizations/vendor-call.ts'
import { listThreads } from '../../features/connections/external-links/external-links.ts'
import { getConversation } from '../../features/conversations/conversations/conversations.ts'
import { ofAccount } from '../../platform/db/of-account.ts'
import { callGraph, type Whatsapp } from './client.ts'

/** The templates of a number as they were last read, stored as the cursor of its connection. */
const CachedTemplates = z.object({ templates: z.array(WhatsappTemplate), fetched_at: z.string() })
export type CachedTemplates = z.output<typeof CachedTemplates>

const CACHED_MS = 10 * 60_000
const PAGE_SIZE = '100'
const PAGES = 5

/**
 * The approved templates of the number over which a conversation is answered, by name.
 * @throws NotFound; Unacceptable if it is not answered over WhatsApp; Refusal if Meta does not answer
 */
export async function listTemplates(
  context: Context,
  account_id: string,
  conversation_id: string,
  isRefreshed: boolean,
): Promise<WhatsappTemplate[]> {
  const whatsapp = await findOfConversation(context, account_id, conversation_id)
  // An older version stored less of each.
  const cached = CachedTemplates.safeParse(whatsapp.cursor).data
  if (cached && !isRefreshed && Date.now() - Date.parse(cached.fetched_at) < CACHED_MS) return cached.templates
  const templates = await runForCaller(() => fetchTemplates(context, whatsapp))
  const cursor: CachedTemplates = { templates, fetched_at: new Date().toISOString() }
  await context.change((tx) => saveCursor(tx, account_id, whatsapp.id, cursor))
  return templates
}

/** The number that the customer wrote to, else that of the inbox. */
async function findOfConversation(context: Context, account_id: string, conversation_id: string): Promise<Whatsapp> {
  const { source, inbox_id } = await getConversation(context.db, account_id, conversation_id)
  if (source !== 'whatsapp') throw new Unacceptable('This conversation is not answered over WhatsApp.')
  const threads = await listThreads(context.db, account_id, [conversation_id])
  const origin = threads.findLast(({ role }) => role === 'origin')
  if (origin) await assertOwn(context, account_id, origin.authorization_id)
  const connected =
    (origin && (await loadConnected<Whatsapp>(context, account_id, origin.authorization_id))) ??
    (await findConnected<Whatsapp>(context, account_id, { integration: 'whatsapp', inbox_id }))
  if (!connected) throw new Unacceptable('WhatsApp is disconnected. Reconnect it under Integrations → WhatsApp.')
  return connected
}

/** @throws Unacceptable if the customer wrote over another vendor, which has templates of its own */
async function assertOwn({ db }: Context, account_id: string, authorization_id: string): Promise<void> {
  const { integration } = await ofAccount(db, account_id)
    .selectFrom('authorizations')
    .select('integration')
    .where('id', '=', authorization_id)
    .executeTakeFirstOrThrow()
  if (integration === 'whatsapp') return
  const { name } = kindOf(integration as IntegrationName)
  throw new Unacceptable(`This conversation is answered over ${name}. Send a template from the console of ${name}.`)
}

const Component = z.looseObject({
  type: z.string(),
  format: z.optional(z.string()),
  text: z.optional(z.string()),
  buttons: z.optional(
    z.array(
      z.looseObject({
        type: z.string(),
        text: z.string(),
        url: z.optional(z.string()),
        phone_number: z.optional(z.string()),
        example: z.optional(z.union([z.string(), z.array(z.string())])),
      }),
    ),
  ),
  example: z.optional(
    z.looseObject({
      header_text: z.optional(z.array(z.string())),
      body_text: z.optional(z.array(z.array(z.string()))),
      header_text_named_params: z.optional(z.array(z.looseObject({ param_name: z.string(), example: z.string() }))),
      body_text_named_params: z.optional(z.array(z.looseObject({ param_name: z.string(), example: z.string() }))),
    }),
  ),
})
type Component = z.output<typeof Component>
type Button = NonNullable<Component['buttons']>[number]
const RawTemplate = z.looseObject({
  name: z.string(),
  language: z.string(),
  category: z.string(),
  status: z.string(),
  components: z.array(Component),
})
const Page = z.looseObject({
  data: z.array(z.unknown()),
  paging: z.optional(
    z.looseObject({
      next: z.optional(z.string()),
      cursors: z.optional(z.looseObject({ after: z.optional(z.string()) })),
    }),
  ),
})

async function fetchTemplates(context: Context, { settings, credentials }: Whatsapp): Promise<WhatsappTemplate[]> {
  const templates: WhatsappTemplate[] = []
  let after: string | undefined
  for (let page = 0; page < PAGES; page++) {
    const fields = 'name,language,category,status,components'
    const query = { fields, status: 'APPROVED', limit: PAGE_SIZE, ...(after && { after }) }
    const call = { path: `${settings.business_account_id}/message_templates`, query }
    const { data, paging } = await callGraph(context, credentials.access_token, call, Page)
    templates.push(...data.flatMap(readTemplate))
    after = paging?.next ? paging.cursors?.after : undefined
    if (!after) break
  }
  return templates.sort((a, b) => a.name.localeCompare(b.name) || a.language.localeCompare(b.language))
}

/** What a heading may be, by Meta's name for it. Places cannot be entered here. */
const MEDIA = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' } as const
/** Buttons that need nothing, or a value that can be entered here. Others open a form or a catalogue at Meta. */
const BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'VOICE_CALL', 'COPY_CODE']

/** Those that can be filled in here: with text and one file. */
function readTemplate(input: unknown): WhatsappTemplate[] {
  const { success, data } = z.safeParse(RawTemplate, input)
  if (!success || data.status !== 'APPROVED' || data.category === 'AUTHENTICATION') return []
  const { name, language, category, components } = data
  const find = (type: string) => components.find((component) => component.type.toUpperCase() === type)
  const [header, body, footer] = [find('HEADER'), find('BODY'), find('FOOTER')]
  const header_media = MEDIA[header?.format as keyof typeof MEDIA] ?? null
  const buttons = find('BUTTONS')?.buttons ?? []
  const needsMore =
    (header && header.format !== 'TEXT' && !header_media) || !buttons.every(({ type }) => BUTTONS.includes(type))
  if (!body?.text || needsMore) return []
  return [
    {
      name,
      language,
      category,
      header: header?.text ?? null,
      header_media,
      body: body.text,
      footer: footer?.text ?? null,
      buttons: buttons.map(({ text, url, phone_number }) => ({
        text,
        url: url ?? (phone_number ? `tel:${phone_number}` : null),
      })),
      variables: [...variablesOf('header', header), ...variablesOf('body', body), ...buttons.flatMap(variableOfButton)],
    },
  ]
}

/** A button's address ends with at most one variable; a code is its variable itself. */
function variableOfButton({ type, url, example }: Button, index: number): TemplateVariable[] {
  const isCode = type === 'COPY_CODE'
  if (!isCode && !url?.includes('{{')) return []
  return [{ key: `${isCode ? 'code' : 'url'}.${index}`, example: [example ?? null].flat()[0] ?? null }]
}

function variablesOf(part: 'header' | 'body', component: Component | undefined): TemplateVariable[] {
  const names = [...(component?.text ?? '').matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name!)
  const { example } = component ?? {}
  const positional = (part === 'header' ? example?.header_text : example?.body_text?.[0]) ?? []
  const named = (part === 'header' ? example?.header_text_named_params : example?.body_text_named_params) ?? []
  return [...new Set(names)].map((name) => ({
    key: `${part}.${name}`,
    example: named.find(({ param_name }) => param_name === name)?.example ?? positional[Number(name) - 1] ?? null,
  }))
}
