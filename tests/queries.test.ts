import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Query, readQueries } from './support/queries.ts'

/** Tables whose rows belong to no account, or are the accounts themselves. */
const WITHOUT = ['accounts', 'event_followers', 'installation', 'leases', 'servers', '?']

const readAll = (): Query[] =>
  ['server/features/**/*.ts', 'server/integrations/**/*.ts', 'server/*.ts']
    .flatMap((pattern) => globSync(pattern))
    .filter((file) => !file.endsWith('.test.ts'))
    .sort()
    .flatMap((file) => readQueries(file, readFileSync(file, 'utf8')))

const isBroad = ({ scope, table }: Query) => scope === 'none' && !WITHOUT.includes(table)

test('every query is of one account, or says why it crosses accounts; every join joins within the account', () => {
  const queries = readAll()
  expect(queries.length).toBeGreaterThan(400)
  expect(queries.filter(isBroad).map(({ file, within, table }) => `${file} ${within} ${table}`)).toEqual([])
})

test('a query that crosses accounts gives its reason beside it', () => {
  const reasons = readAll().flatMap(({ scope, reason }) => (scope === 'across' ? [reason] : []))
  expect(reasons.length).toBeGreaterThan(20)
  expect(reasons.filter((reason) => !reason || reason.split(' ').length < 4)).toEqual([])
})

test.for<[string, string, Query['scope']]>([
  ['the account is in the helper', "ofAccount(db, account_id).selectFrom('tags').where('id', '=', id)", 'account'],
  ['a variable holds the helper', "const own = ofAccount(db, id)\nown.deleteFrom('tags')", 'account'],
  ['a condition names it', "db.selectFrom('tags as t').where('t.account_id', '=', account_id)", 'account'],
  ['it says that it crosses', "acrossAccounts(db, 'prunes them all at once').deleteFrom('tags')", 'across'],
  ['it names nothing', "db.selectFrom('tags').where('id', '=', id)", 'none'],
  [
    'only a subquery is of an account',
    "db.selectFrom('tags').where((eb) => eb.exists(eb.selectFrom('customer_tags').where('account_id', '=', a)))",
    'none',
  ],
  ['another helper is called', "allOf(db, account_id).selectFrom('tags')", 'none'],
])('a query is recognised where %s', ([, source, scope]) => {
  const [query] = readQueries('example.ts', source).filter(({ table }) => table === 'tags')
  expect(query?.scope).toBe(scope)
})

test('a join that does not join on the account is noticed', () => {
  const joined = (on: string) =>
    readQueries('example.ts', `ofAccount(db, id).selectFrom('messages').innerJoin('users', (join) => join${on})`)
  const within = "onRef('users.account_id', '=', 'messages.account_id').onRef('users.id', '=', 'messages.user_id')"
  expect(joined(`.${within}`).map(({ scope }) => scope)).toEqual(['account', 'account'])
  expect(joined(".onRef('users.id', '=', 'messages.user_id')").map(({ scope }) => scope)).toEqual(['account', 'none'])
})
