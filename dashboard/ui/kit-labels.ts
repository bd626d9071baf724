import { createContext } from 'react'

/** Texts of the controls, in the user's language. */
export interface Labels {
  close: string
  clear: string
  loading: string
  not_loaded: string
  not_drawn: string
  /** Shown in an empty list of options. */
  nothing: string
  show_password: string
  remove: (name: string) => string
  /** The errors of a required field, and of an invalid value. */
  field_missing: string
  field_mistyped: string
}

export const KitLabels = createContext<Labels>({
  close: 'Close',
  clear: 'Clear',
  loading: 'Loading',
  not_loaded: 'A part of this page could not be loaded',
  not_drawn: 'This part could not be shown',
  nothing: 'Nothing found',
  show_password: 'Show password',
  remove: (name) => `Remove ${name}`,
  field_missing: 'Please fill this in.',
  field_mistyped: 'Please check what you entered.',
})
