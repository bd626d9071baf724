import { createContext } from 'react'

/** Words that controls say by themselves, in the reader's language. */
export interface Words {
  close: string
  clear: string
  loading: string
  not_loaded: string
  /** What stands in a list of choices in which there is nothing. */
  nothing: string
  show_password: string
  remove: (name: string) => string
  /** Under a field that must not be empty, and under one that does not take what was typed. */
  field_missing: string
  field_mistyped: string
}

export const KitWords = createContext<Words>({
  close: 'Close',
  clear: 'Clear',
  loading: 'Loading',
  not_loaded: 'A part of this page could not be loaded',
  nothing: 'Nothing found',
  show_password: 'Show password',
  remove: (name) => `Remove ${name}`,
  field_missing: 'Please fill this in.',
  field_mistyped: 'Please check what you entered.',
})
