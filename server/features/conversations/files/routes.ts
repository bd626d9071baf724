import type { FastifyInstance } from 'fastify'
import { files, MAX_FILE_BYTES } from '#contract/conversations/files.ts'
import { VisitorFile } from '#contract/conversations/messages.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import { pick } from '../../../pick.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { isAccount } from '../../accounts/accounts/accounts.ts'
import { assertNotBlocked } from '../../customers/customers/changing.ts'
import { findFile, storeFile } from './files.ts'
import { sendFile } from './send-file.ts'
import { consumeForAccount, mayUpload } from './upload-limits.ts'

export function registerFilesRoutes(routes: Routes, context: Context) {
  const { config, db } = context
  routes.route(files.upload, async ({ caller, body, request }) => {
    const account_id = caller.kind === 'anonymous' ? body.account_id : caller.account_id
    if (!account_id) throw new Invalid({ account_id: ["can't be blank"] })
    if (!(await isAccount(db, account_id))) throw new Invalid({ account_id: ['does not exist'] })
    if (caller.kind === 'visitor') await assertNotBlocked(db, account_id, caller.customer_id)
    if (!mayUpload(config, account_id)) throw new Forbidden('Attaching files is switched off for this account.')
    const bytes = body.file
    if (!Buffer.isBuffer(bytes) || bytes.length === 0) throw new Unacceptable('Invalid or malformed file: it is empty.')
    if (bytes.length > MAX_FILE_BYTES) throw new Unacceptable('Invalid or malformed file: it is larger than 8 MB.')
    if (caller.kind === 'anonymous' && config.rateLimits)
      await consumeForAccount(context.limits, account_id, bytes.length)
    const file = await storeFile(context, account_id, caller, { filename: request.uploadName ?? 'file', bytes })
    return { data: caller.kind === 'user' ? file : pick(VisitorFile, file) }
  })
}

/**
 * Serves files. Only those that a browser merely shows or plays are opened inline; none can run scripts on our origin.
 */
export function serveFiles(app: FastifyInstance, { db, files: store }: Context) {
  app.get<{ Params: { id: string } }>('/files/:id/:name', async (request, reply) => {
    const file = isId(request.params.id) ? await findFile(db, request.params.id) : undefined
    if (!file) throw new NotFound()
    return sendFile(request, reply, store, file, 'private, max-age=31536000, immutable')
  })
}
