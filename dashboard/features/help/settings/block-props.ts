import type { HelpCenter, HelpCenterChanges } from '#contract/help/help-center.ts'

/** What each section of the settings gets. */
export interface BlockProps {
  center: HelpCenter
  /** Shows its own error if it throws. */
  save: (changes: HelpCenterChanges) => Promise<void>
}
