import { Readable } from 'node:stream'
import { type BrowserSession, browserSessions, RecorderSession } from '#contract/widget/live-sessions.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import { pick } from '../../../pick.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { topicKey } from '../../../platform/realtime/topic-key.ts'
import { isAccount } from '../../accounts/accounts/accounts.ts'
import { countSessions, deleteSession, getSession, listSessions, updateSession } from './live-sessions.ts'
import { fetchPageFile } from './page-files.ts'
import {
  findRecorderSession,
  finishSession,
  identifySession,
  restartSession,
  startSession,
} from './recorder-sessions.ts'
import { topics } from './topics.ts'
import { assertLiveSessionsOn, assertMayWatch, mayWatch, recorderSettings } from './watching.ts'

/** Calls of the team. */
export function registerBrowserSessionsRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  routes.route(browserSessions.list, async ({ caller, query }) => {
    // The old dashboard asks this beside each conversation, for everybody, and shows a refusal as an error.
    if (query.customer_id && !(await mayWatch(context, caller))) return { data: [] }
    await assertMayWatch(context, caller)
    return { data: await listSessions(db, caller.account_id, query) }
  })
  routes.route(browserSessions.count, async ({ caller, query }) => {
    await assertMayWatch(context, caller)
    return { data: { count: await countSessions(db, caller.account_id, query) } }
  })
  routes.route(browserSessions.get, async ({ caller, params }) => {
    await assertMayWatch(context, caller)
    return { data: { ...(await getSession(db, caller.account_id, params.id)), browser_replay_events: [] } }
  })
  routes.route(browserSessions.pageFile, async ({ caller, query, reply }) => {
    await assertMayWatch(context, caller)
    const { bytes, content_type } = await fetchPageFile(context, caller.account_id, query.url)
    reply.headers({
      'content-type': content_type,
      'content-length': bytes.length,
      // The dashboard fetches it for the box; opened directly it does nothing.
      'content-disposition': 'attachment',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
    })
    return Readable.from([bytes], { objectMode: false })
  })
  routes.route(browserSessions.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateSession(tx, caller.account_id, params.id, body.browser_session)),
  }))
  routes.route(browserSessions.remove, ({ caller, params }) =>
    change((tx) => deleteSession(tx, caller.account_id, params.id)).then(() => null),
  )
}

/** Calls of recorders, whose only credential is their session. */
export function registerRecorderRoutes(routes: Routes, { db, change, config, realtime }: Context) {
  /** Clients showing this session fetch the list again. */
  const publishUpdate = (session: BrowserSession) => {
    const { account_id, id } = session
    void realtime.broadcast(topicKey(account_id, topics.all(account_id)), 'session:updated', { id })
    return { data: pick(RecorderSession, session) }
  }
  routes.route(browserSessions.create, async ({ body }) => {
    assertLiveSessionsOn(config)
    const { account_id } = body.browser_session
    if (!isId(account_id) || !(await isAccount(db, account_id))) {
      throw new Invalid({ account_id: ['does not exist'] })
    }
    const session = await change((tx) => startSession(tx, account_id, body.browser_session))
    return { data: { ...pick(RecorderSession, session), recorder: await recorderSettings(db, account_id) } }
  })
  routes.route(browserSessions.finish, async ({ params, body }) => ({
    data: pick(RecorderSession, await change((tx) => finishSession(tx, params.id, body.token))),
  }))
  routes.route(browserSessions.restart, async ({ params, body }) => ({
    data: pick(RecorderSession, await change((tx) => restartSession(tx, params.id, body.token))),
  }))
  routes.route(browserSessions.identify, async ({ params, body }) =>
    publishUpdate(await change((tx) => identifySession(tx, params.id, body.token, body.customer_id))),
  )
  routes.route(browserSessions.exists, async ({ params }) => ({
    data: config.storytime && !!(await findRecorderSession(db, params.id, undefined)),
  }))
}
