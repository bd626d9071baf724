import dayjs from 'dayjs'
import { inWords } from '../../../platform/times.ts'

/** `Nov 3`, for a day in the account's time zone. */
export function shortDay(day: string): string {
  return inWords(dayjs(day), 'MMM D', 'D/M')
}
