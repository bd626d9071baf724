import { type TranslationEvents, translations } from '#contract/conversations/translations.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { eventStream, type SendEvent } from '../../../platform/http/event-stream.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { getConversationRow } from '../conversations/conversations.ts'
import { listTranslations } from '../messages/translations.ts'
import { type PlannedTranslation, planTranslation, translateMessages } from './translating.ts'

export function registerTranslationsRoutes(routes: Routes, context: Context) {
  routes.route(translations.list, async ({ caller: { account_id }, params, query }) => {
    await getConversationRow(context.db, account_id, params.id)
    return listTranslations(context.db, account_id, params.id, query.before)
  })

  routes.route(translations.create, async ({ caller, params, body, reply }) => {
    const planned = await planTranslation(context, caller, params.id, body)
    return eventStream(reply, (send, signal) => sendTranslations(context, caller, planned, { send, signal }))
  })
}

async function sendTranslations(
  context: Context,
  caller: User,
  planned: PlannedTranslation,
  { send, signal }: { send: SendEvent; signal: AbortSignal },
): Promise<void> {
  const sendEvent = <Name extends keyof TranslationEvents>(name: Name, data: TranslationEvents[Name]) =>
    send(name, data)
  try {
    for await (const result of translateMessages(context, caller, planned, signal)) {
      if ('message' in result) sendEvent('skipped', result)
      else sendEvent('translation', result)
    }
    sendEvent('done', {})
  } catch (error) {
    if (!(error instanceof Refusal)) context.log.error({ err: error }, 'Messages could not be translated')
    sendEvent('failed', { message: error instanceof Refusal ? error.message : FAILED })
  }
}

const FAILED = 'Something went wrong on this server. Try again in a few minutes.'
