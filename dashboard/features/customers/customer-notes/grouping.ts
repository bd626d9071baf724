import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc'
import type { Customer } from '#contract/customers/customers.ts'
import { inWords } from '../../../platform/times.ts'

dayjs.extend(utc)

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
  const newestFirst = [...notes].sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at))
  for (const note of newestFirst) {
    const title = inWords(dayjs.utc(note.created_at), 'MMMM DD, YYYY', 'D MMMM, YYYY')
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
  return inWords(dayjs.utc(iso), 'ddd, MMM D h:mm A', 'ddd, D MMM HH:mm')
}
