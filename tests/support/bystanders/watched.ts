/** A changed or missing row of a bystander, or a new one about a bystander. */
export interface Difference {
  account_id: string
  table_name: string
  before: string | null
  after: string | null
}

/** A database whose bystanders are compared. */
export interface Watcher {
  differences(): Promise<Difference[]>
  /** Accepts the present state as the expected one. */
  accept(): Promise<void>
}

interface Announced {
  /** Any account if left out. */
  account_id?: string
  /** Any table if left out. */
  tables?: string[]
}

/** The databases of this test file with bystanders. */
export const watched = new Set<Watcher>()

let announced: Announced[] = []

/** Announces that the running test changes bystanders on purpose, such as by closing the account. */
export function bystandersMayChange(where: Announced): void {
  announced.push(where)
}

/** A list of a whole account without the bystanders' rows. */
export function withoutBystanders<One>(list: One[]): One[] {
  return list.filter((item) => !JSON.stringify(item).includes('ystander'))
}

/** The unannounced changes of bystanders, as a text that names the rows; empty if there are none. */
export async function unannouncedChanges(watcher: Watcher): Promise<string> {
  const differences = await watcher.differences()
  if (differences.length === 0) return ''
  await watcher.accept()
  return differences
    .filter((difference) => !announced.some((may) => covers(may, difference)))
    .map(
      ({ table_name, before, after }) =>
        `${table_name}\n  before ${before ?? '(nothing)'}\n  after  ${after ?? '(nothing)'}`,
    )
    .join('\n')
}

export function clearAnnounced(): void {
  announced = []
}

function covers({ account_id, tables }: Announced, difference: Difference): boolean {
  return (!account_id || account_id === difference.account_id) && (!tables || tables.includes(difference.table_name))
}

export function refusal(changes: string): Error {
  return new Error(`The test changed what nobody in it means (tests/support/bystanders):\n${changes}`)
}
