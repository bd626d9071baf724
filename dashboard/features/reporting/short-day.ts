import dayjs from 'dayjs'
import { inWords } from '../../platform/times.ts'

/** `Nov 3`, of a day of the account. */
export function shortDay(day: string): string {
  return inWords(dayjs(day), 'MMM D', 'D/M')
}
