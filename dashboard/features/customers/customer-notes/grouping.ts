import type { Customer } from '#contract/customers/customers.ts'
import { dayTitle, messageTime } from '../../../platform/times.ts'

interface Groupable {
  id: string
  created_at: string
  customer: Pick<Customer, 'id'>
}

export interface NoteDay<Note extends Groupable> {
  /** `MMMM DD, YYYY` in English, the day in UTC. */
  title: string
  customers: { customer: Note['customer']; notes: Note[] }[]
}

/** Groups notes by day, newest first, and within a day by customer. */
export function groupNotes<Note extends Groupable>(notes: readonly Note[]): NoteDay<Note>[] {
  const days: NoteDay<Note>[] = []
  const newestFirst = [...notes].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
  for (const note of newestFirst) {
    const title = dayTitle(note.created_at, 'UTC')
    let day = days.at(-1)
    if (day?.title !== title) {
      day = { title, customers: [] }
      days.push(day)
    }
    const group = day.customers.find(({ customer }) => customer.id === note.customer.id)
    if (group) group.notes.push(note)
    else day.customers.push({ customer: note.customer, notes: [note] })
  }
  return days
}

/** The time of a note in UTC, like the day it is listed under. */
export function noteTime(iso: string): string {
  return messageTime(iso, 'UTC')
}
