import { customerNotes } from '#contract/customers/customer-notes.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { createNote, deleteNote, getNote, listNotes, updateNote } from './customer-notes.ts'

export function registerCustomerNotesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(customerNotes.list, ({ caller, query }) => listNotes(db, caller.account_id, query))
  routes.route(customerNotes.get, async ({ caller, params }) => ({
    data: await getNote(db, caller.account_id, params.id),
  }))
  routes.route(customerNotes.create, async ({ caller, body }) => ({
    data: await change((tx) => createNote(tx, caller.account_id, caller.user_id, body.note)),
  }))
  routes.route(customerNotes.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateNote(tx, caller, params.id, body.note)),
  }))
  routes.route(customerNotes.remove, ({ caller, params }) => change((tx) => deleteNote(tx, caller, params.id)))
}
