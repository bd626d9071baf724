import { writingHelp } from '#contract/conversations/writing-help.ts'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { eventStream, type SendEvent } from '../../../platform/http/event-stream.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { type PlannedText, planText, writeText } from './writing.ts'

export function registerWritingHelpRoutes(routes: Routes, context: Context) {
  routes.route(writingHelp.write, async ({ caller, params, body, reply }) => {
    const planned = await planText(context, caller, params.id, body)
    return eventStream(reply, (send, signal) => sendText(context, caller, planned, { send, signal }))
  })
}

async function sendText(
  context: Context,
  caller: User,
  planned: PlannedText,
  { send, signal }: { send: SendEvent; signal: AbortSignal },
): Promise<void> {
  try {
    const pieces = writeText(context, caller, planned, signal)
    let step = await pieces.next()
    while (!step.done) {
      send('text', { text: step.value })
      step = await pieces.next()
    }
    send('done', step.value)
  } catch (error) {
    if (!(error instanceof Refusal)) context.log.error({ err: error }, 'A text could not be written')
    send('failed', { message: error instanceof Refusal ? error.message : FAILED })
  }
}

const FAILED = 'Something went wrong on this server. Try again in a few minutes.'
