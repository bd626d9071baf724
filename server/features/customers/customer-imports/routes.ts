import { customerImports } from '#contract/customers/customer-imports.ts'
import type { Context } from '../../../context.ts'
import { Invalid } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { decodeText, guessEncoding } from './encoding.ts'
import { getImport, listImports, startImport, storeImport } from './imports.ts'

export function registerCustomerImportsRoutes(routes: Routes, context: Context) {
  const { db, change, jobs } = context
  routes.route(customerImports.upload, async ({ caller, body, request }) => {
    const bytes = Buffer.isBuffer(body.file) ? body.file : undefined
    const encoding = bytes ? (body.encoding ?? guessEncoding(bytes)) : null
    const content = bytes && encoding ? decodeText(bytes, encoding) : body.content
    if (!content?.trim()) throw new Invalid({ file: ["can't be blank"] })
    const filename = (request.uploadName ?? body.filename ?? 'customers.csv').slice(0, 300)
    const file = { filename, content, encoding }
    return { data: await storeImport(context, caller.account_id, caller.user_id, file) }
  })
  routes.route(customerImports.list, async ({ caller }) => ({ data: await listImports(db, caller.account_id) }))
  routes.route(customerImports.get, async ({ caller, params }) => ({
    data: await getImport(db, caller.account_id, params.id),
  }))
  routes.route(customerImports.start, async ({ caller, params, body }) => ({
    data: await change((tx) => startImport(tx, jobs, caller.account_id, params.id, body.mapping)),
  }))
}
