import { customers } from '#contract/customers/customers.ts'
import type { VisitorCustomer } from '#contract/customers/visitor-customer.ts'
import { isId } from '#contract/wire.ts'
import type { Context } from '../../../context.ts'
import { Invalid, missingParameters, NotFound, Unacceptable } from '../../../errors.ts'
import { isTeamOf } from '../../../platform/caller.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import type { Limit } from '../../../platform/limits/limits.ts'
import { networkOf } from '../../../platform/limits/network.ts'
import { isAccount, unknownAccount } from '../../accounts/accounts/accounts.ts'
import { listTeamOnlyKeys } from '../attributes/definitions.ts'
import { loadCompanies } from '../companies/companies.ts'
import { verifyIdentity } from '../signed-identity/verifying.ts'
import { loadCustomerTags } from '../tags/tags.ts'
import { updateCustomer } from './changing.ts'
import { updateClaims } from './claims.ts'
import { getCustomer, getCustomerId, resolveCustomer } from './customers.ts'
import { identifyCustomer } from './external-ids.ts'
import { findOrCreateCustomer, startVisitorSession } from './find-or-create-customer.ts'
import { customerForId, customerForVisitor } from './for-visitor.ts'
import { readOldToken } from './known-browsers.ts'
import { listPageVisits } from './page-visits.ts'
import { isTestToken, makeTestToken } from './test-token.ts'
import { acceptClaims, acceptClaimsById, requiresProof, trustsUnsignedIds } from './unsigned-claims.ts'
import { actAsCustomer, endVisitorSession, storeSessionEmail } from './visitor-sessions.ts'

/** Per address. Looking up people by their external ids must not be faster than this. */
const IDENTIFYING: Limit = { capacity: 200, perSecond: 20 }

export function registerCustomersRoutes(routes: Routes, { config, db, change, limits }: Context) {
  routes.route(customers.create, async ({ caller, body, request }) => {
    const { account_id: requestedAccountId, company_id, first_seen, ...claims } = body.customer
    const account_id = requestedAccountId || (caller.kind === 'anonymous' ? undefined : caller.account_id)
    if (!account_id) throw new Invalid({ account_id: ["can't be blank"] })
    if (!isId(account_id)) throw new Invalid({ account_id: ['does not exist'] })
    const byTeam = isTeamOf(account_id, caller)
    const arrival = { ip: byTeam ? null : request.ip, first_seen }
    const saved = await change(async (tx) => {
      const customer = await findOrCreateCustomer(tx, caller, account_id, claims, arrival)
      return byTeam && company_id ? updateCustomer(tx, account_id, customer.id, { company_id }) : customer
    })
    return { data: byTeam ? saved : customerForId(saved, claims, await listTeamOnlyKeys(db, account_id)) }
  })

  routes.route(customers.identify, async ({ query, request }) => {
    const external_id = textIn(query.external_id)
    const account_id = textIn(query.account_id)
    if (!external_id || !account_id) {
      throw new Unacceptable(missingParameters('external_id', 'account_id'), {
        received: Object.keys(request.query as object),
      })
    }
    // Published widgets show no button if this call is refused, so over the limit it finds nobody.
    const isLimited =
      config.rateLimits && !(await limits.take(`identify-from:${networkOf(request.ip)}`, IDENTIFYING)).allowed
    if (isLimited) return { data: { customer_id: null } }
    if (!(await isAccount(db, account_id))) throw unknownAccount(account_id, config)
    // Where identity has to be signed, an unsigned claim finds nobody.
    if (await requiresProof(db, account_id)) return { data: { customer_id: null } }
    const identity = { external_id, email: textIn(query.email), host: textIn(query.host) }
    const trusted = await trustsUnsignedIds(db, account_id)
    return { data: { customer_id: await identifyCustomer(db, account_id, identity, trusted) } }
  })

  routes.route(customers.exists, async ({ params, query: { account_id } }) => {
    const isElsewhere = account_id !== undefined && !isId(account_id)
    return { data: !isElsewhere && (await resolveCustomer(db, params.id, account_id)) !== undefined }
  })

  routes.route(customers.pageVisits, async ({ caller: { account_id }, params }) => ({
    data: await listPageVisits(db, account_id, await getCustomerId(db, account_id, params.id)),
  }))

  routes.route(customers.updateMetadata, async ({ caller, params, body }) => {
    const customer = await resolveCustomer(db, params.id)
    if (!customer) throw new NotFound()
    const { account_id, id } = customer
    await actAsCustomer(db, caller, account_id, id)
    const { metadata } = body
    if (isTeamOf(account_id, caller)) {
      const updated = await change((tx) => updateClaims(tx, account_id, id, metadata, 'team'))
      const companies = await loadCompanies(db, account_id, updated.company_id ? [updated.company_id] : [])
      const tags = (await loadCustomerTags(db, account_id, [id])).get(id) ?? []
      return { data: { ...updated, company: (updated.company_id && companies.get(updated.company_id)) || null, tags } }
    }
    if (caller.kind !== 'visitor') {
      const updated = await change(async (tx) => {
        const claims = await acceptClaimsById(tx.db, account_id, metadata, id)
        return updateClaims(tx, account_id, id, claims, 'browser')
      })
      return { data: asOldCodeReads(customerForId(updated, metadata, await listTeamOnlyKeys(db, account_id))) }
    }
    const claims = await acceptClaims(db, account_id, metadata, id)
    const updated = await change(async (tx) => {
      if (claims.email) await storeSessionEmail(tx, account_id, caller.session_id, claims.email)
      return updateClaims(tx, account_id, id, claims, 'browser')
    })
    return { data: asOldCodeReads(customerForVisitor(updated, await listTeamOnlyKeys(db, account_id))) }
  })
}

/** Published clients read both fields. What the team knows is not for visitors. */
function asOldCodeReads(customer: VisitorCustomer): VisitorCustomer & { company: null; tags: [] } {
  return { ...customer, company: null, tags: [] }
}

export function registerVisitorSessionsRoutes(routes: Routes, { config, db, change, keys, realtime }: Context) {
  routes.route(customers.startSession, async ({ body, request }) => {
    const {
      account_id,
      inbox_id,
      token,
      customer_id,
      customer: claims = {},
      identity_token,
      test_token,
    } = body.visitor_session
    // Only the team starts conversations that nobody is told of.
    if (test_token && !isTestToken(config.secretKey!, account_id, test_token, Date.now()))
      throw new Invalid({ test_token: ['has expired. Reload the page.'] })
    const device = { ip: request.ip, user_agent: request.headers['user-agent'] }
    const inboxKey = { account_id, inbox_id }
    const prepared = identity_token ? await readOldToken(db, keys, account_id, identity_token) : undefined
    const proof = identity_token && !prepared ? await verifyIdentity(db, keys, inboxKey, identity_token) : undefined
    const wish = { account_id, token, customer_id, claims, proof, prepared, isTest: !!test_token }
    const { session, signedOut } = await change((tx) => startVisitorSession(tx, wish, device))
    for (const session_id of signedOut) await realtime.disconnect({ session_id })
    return { data: session }
  })

  routes.route(customers.testToken, async ({ caller: { account_id } }) => ({
    data: { test_token: makeTestToken(config.secretKey!, account_id, Date.now()) },
  }))

  routes.route(customers.mine, async ({ caller: { account_id, customer_id } }) => ({
    data: customerForVisitor(await getCustomer(db, account_id, customer_id), await listTeamOnlyKeys(db, account_id)),
  }))

  routes.route(customers.endSession, async ({ caller }) => {
    await change((tx) => endVisitorSession(tx, caller.account_id, caller.session_id))
    await realtime.disconnect({ session_id: caller.session_id })
    return { data: {} }
  })
}

/** The value an old client means: missing ones are sent as text, and numbers as numbers. */
function textIn(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' || text === 'null' || text === 'undefined' ? undefined : text
}
