/** A conversation of the seeded company. */
export interface Thread {
  /** The name of its tag. */
  topic?: string
  /** Of a mail. */
  subject?: string
  /**
   * A line starts with its author: `c` the customer, `a` the team, `n` a private note; then perhaps a file in brackets.
   * Words in braces are placeholders.
   */
  lines: readonly string[]
}
