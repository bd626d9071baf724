import { movingIn } from '#contract/operations/moving-in.ts'
import type { Context } from '../../../context.ts'
import { Forbidden, Invalid } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { isFirstAccount } from '../operations/address.ts'
import { connectApi, describeMovingIn, removeImport, startImport, stopImport } from './moving-in.ts'
import { addPiece, beginUpload } from './upload.ts'

const NOT_YOURS = 'Only admins of the account that set up this installation can move other companies in.'

export function registerMovingInRoutes(routes: Routes, context: Context) {
  const { db, change } = context
  const isOperator = ({ account_id }: User) => isFirstAccount(db, account_id)
  const assertOperator = async (caller: User) => {
    if (!(await isOperator(caller))) throw new Forbidden(NOT_YOURS)
  }
  const described = async () => ({ data: await describeMovingIn(context, true) })

  routes.route(movingIn.get, async ({ caller }) => ({
    data: await describeMovingIn(context, await isOperator(caller)),
  }))
  routes.route(movingIn.begin, async ({ caller, body }) => {
    await assertOperator(caller)
    await beginUpload(context, body)
    return described()
  })
  routes.route(movingIn.addPiece, async ({ caller, body: { offset, file } }) => {
    await assertOperator(caller)
    if (!Buffer.isBuffer(file)) throw new Invalid({ file: ["can't be blank"] })
    await addPiece(context, offset, file)
    return described()
  })
  routes.route(movingIn.connect, async ({ caller, body: { account, ...server } }) => {
    await assertOperator(caller)
    await connectApi(context, { ...server, account: account || null })
    return described()
  })
  routes.route(movingIn.check, async ({ caller }) => {
    await assertOperator(caller)
    await startImport(context, true)
    return described()
  })
  routes.route(movingIn.start, async ({ caller }) => {
    await assertOperator(caller)
    await startImport(context, false)
    await change((tx) => recordAudit(tx, caller, { action: 'account.moved_in', details: {} }))
    return described()
  })
  routes.route(movingIn.stop, async ({ caller }) => {
    await assertOperator(caller)
    await stopImport(context)
    return described()
  })
  routes.route(movingIn.remove, async ({ caller }) => {
    await assertOperator(caller)
    await removeImport(context)
    return { data: { ok: true } }
  })
}
