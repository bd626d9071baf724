import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, IntegerInput, Ok, Text } from '../wire.ts'
import { Role, User } from './users.ts'

const ById = z.object({ id: IntegerInput })

/** The team of an account, for its members. */
export const team = {
  list: endpoint('user', 'GET', '/api/users', {
    for_functions: true,
    summary:
      'Lists the team, oldest first, without disabled users. Archived ones are left out with `active=true` only.',
    query: z.object({
      email: z.optional(Text(254)),
      role: z.optional(Role).check(z.describe('Only users of this role.')),
      active: z.optional(BooleanInput.check(z.describe('`true` leaves out archived users.'))),
      has_valid_email: z.optional(
        BooleanInput.check(z.describe('Whether the user has confirmed their address by the mailed link.')),
      ),
    }),
    answer: data(z.array(User)),
  }),
  get: endpoint('user', 'GET', '/api/users/:id', {
    for_functions: true,
    summary: 'Returns a user of the team, or null.',
    params: ById,
    answer: data(z.nullable(User)),
  }),
  remove: endpoint('user', 'DELETE', '/api/users/:id', {
    session_only: true,
    summary: 'Removes the caller from the account for good. Their messages are kept.',
    params: ById,
    answer: data(Ok),
  }),
  disable: endpoint('admin', 'POST', '/api/users/:id/disable', {
    summary: 'Disables a user and ends all their sessions.',
    params: ById,
    answer: data(User),
  }),
  enable: endpoint('admin', 'POST', '/api/users/:id/enable', {
    summary: 'Enables a disabled user.',
    params: ById,
    answer: data(User),
  }),
  removeTwoFactor: endpoint('admin', 'DELETE', '/api/users/:id/two_factor', {
    session_only: true,
    summary: 'Removes the second factor of another user who lost it, and mails them about it. Their sessions continue.',
    params: ById,
    answer: data(Ok),
  }),
  archive: endpoint('admin', 'POST', '/api/users/:id/archive', {
    summary: 'Archives a user: they are no longer among the `users` of the account, nor in `GET /users?active=true`.',
    params: ById,
    answer: data(User),
  }),
  setRole: endpoint('admin', 'PUT', '/api/users/:id/role', {
    summary: 'Sets the role of a user.',
    params: ById,
    body: z.object({ role: FilledText(20).check(z.describe('`admin` or `user`.')) }),
    answer: data(User),
  }),
}
