import { describe, expect, it } from 'vitest'
import type { CustomerNote } from '#contract/customers/customer-notes.ts'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import type { Issue } from '#contract/customers/issues.ts'
import type { ClientEvent } from '#contract/events.ts'
import { conversation } from '../../../testing/samples.ts'
import { applyToCustomer, hasWrongCompany } from './apply-events.ts'

const carla: CustomerProfile = {
  ...conversation().customer,
  id: 'carla',
  company: null,
  tags: [],
  notes: [],
  issues: [],
}

const note = (id: string, minute: number): CustomerNote => ({
  id,
  object: 'note',
  body: id,
  content_type: 'text',
  customer_id: 'carla',
  author_id: 7,
  created_at: `2026-11-20T08:0${minute}:00.000Z`,
  updated_at: `2026-11-20T08:0${minute}:00.000Z`,
  author: null,
})

const issue = (id: string, state: Issue['state'] = 'unstarted', minute = 0): Issue => ({
  id,
  object: 'issue',
  account_id: 'a1',
  title: id,
  body: null,
  state,
  github_issue_url: null,
  creator_id: null,
  assignee_id: null,
  finished_at: null,
  closed_at: null,
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: `2026-11-20T08:0${minute}:00.000Z`,
})

const received = (...events: ClientEvent[]) => events.reduce(applyToCustomer, carla)

describe('the cached customer', () => {
  it('takes a new name and keeps everything else', () => {
    const { company, tags, notes, issues, ...row } = carla
    const renamed = received({ event: 'customer:updated', payload: { ...row, name: 'Carlotta' } })
    expect(renamed).toEqual({ ...carla, name: 'Carlotta' })
  })

  it('fetches the company again when the customer gets another one', () => {
    const moved = received({ event: 'customer:updated', payload: { ...carla, company_id: 'acme' } })
    expect(hasWrongCompany(moved)).toBe(true)
    expect(hasWrongCompany(carla)).toBe(false)
  })

  it('shows notes newest first, each once, without deleted ones', () => {
    const created = (newNote: CustomerNote): ClientEvent => ({ event: 'note:created', payload: newNote })
    const [first, second] = [note('first', 1), note('second', 2)]
    expect(received(created(first), created(second), created(first)).notes?.map(({ id }) => id)).toEqual([
      'second',
      'first',
    ])
    const deletion: ClientEvent = { event: 'note:deleted', payload: { id: 'second', customer_id: 'carla' } }
    expect(received(created(first), created(second), deletion, deletion).notes).toEqual([first])
  })

  it('shows linked issues in their latest state, whichever event comes first', () => {
    const linked: ClientEvent = { event: 'issue:linked', payload: { customer_id: 'carla', issue: issue('lamp') } }
    const done: ClientEvent = { event: 'issue:updated', payload: issue('lamp', 'done', 5) }
    expect(received(linked, done, linked).issues).toEqual([issue('lamp', 'done', 5)])
    expect(received(done).issues).toEqual([])
    const unlinked: ClientEvent = { event: 'issue:unlinked', payload: { customer_id: 'carla', issue: issue('lamp') } }
    expect(received(linked, unlinked).issues).toEqual([])
    expect(received(linked, { event: 'issue:deleted', payload: { id: 'lamp' } }).issues).toEqual([])
  })

  it('stays the same object on events of other customers', () => {
    const { company, tags, notes, issues, ...row } = carla
    expect(received({ event: 'customer:updated', payload: { ...row, id: 'other' } })).toBe(carla)
    expect(received({ event: 'note:created', payload: { ...note('x', 1), customer_id: 'other' } })).toBe(carla)
    expect(received({ event: 'issue:deleted', payload: { id: 'x' } })).toBe(carla)
    expect(received({ event: 'tag:deleted', payload: { id: 'x' } })).toBe(carla)
  })
})
