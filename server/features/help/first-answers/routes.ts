import { firstAnswers } from '#contract/help/first-answers.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import { chooseServerLanguage } from '../../../languages.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { chooseInbox } from '../../widget/inboxes/inboxes.ts'
import { findWidgetSettings } from '../../widget/inboxes/widget-settings.ts'
import { decide } from './deciding.ts'
import { countFirstAnswers, listFirstAnswers } from './listing.ts'

/** The days of the figures above the list of answers. */
const DAYS = 30

export function registerFirstAnswersRoutes(routes: Routes, context: Context) {
  const { db } = context
  routes.route(firstAnswers.list, ({ caller, query }) => listFirstAnswers(db, caller.account_id, query))
  routes.route(firstAnswers.figures, async ({ caller }) => {
    const from = new Date(Date.now() - DAYS * 86_400_000).toISOString()
    return { data: await countFirstAnswers(db, caller.account_id, { from }) }
  })
  routes.route(firstAnswers.tryOut, async ({ caller: { account_id }, body }) => {
    const question = body.question.trim()
    if (!question) throw new Invalid({ question: ["can't be blank"] })
    const inbox = await chooseInbox(db, account_id, body.inbox_id)
    if (!inbox) throw new Invalid({ inbox_id: ['does not exist'] })
    const settings = await findWidgetSettings(db, account_id, inbox.id)
    const language = chooseServerLanguage([body.language, settings?.language])
    const decision = await decide(context, { account_id, message: question, question, language, misses: 0 })
    return { data: { object: 'tried_answer' as const, ...decision } }
  })
}
