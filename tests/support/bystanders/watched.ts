/** A row of a bystander that is not as it was, or a new one about a bystander. */
export interface Difference {
  account_id: string
  table_name: string
  before: string | null
  after: string | null
}

/** A database whose bystanders are looked after. */
export interface Watcher {
  differences(): Promise<Difference[]>
  /** Takes things as they are now for how they should be. */
  accept(): Promise<void>
}

interface Announced {
  /** Left out: of any account. */
  account_id?: string
  /** Left out: in every table. */
  tables?: string[]
}

/** The databases of this test file that hold bystanders. */
export const watched = new Set<Watcher>()

let announced: Announced[] = []

/** Says that the running test means to change bystanders too, such as when it closes the account. */
export function bystandersMayChange(where: Announced): void {
  announced.push(where)
}

/** A list of a whole account as it would be without them. */
export function withoutBystanders<One>(list: One[]): One[] {
  return list.filter((one) => !JSON.stringify(one).includes('ystander'))
}

/** What happened to bystanders and was not announced, as a text that names the rows; empty when all is well. */
export async function unannouncedChanges(watcher: Watcher): Promise<string> {
  const differences = await watcher.differences()
  if (differences.length === 0) return ''
  await watcher.accept()
  return differences
    .filter((one) => !announced.some((may) => covers(may, one)))
    .map(
      ({ table_name, before, after }) =>
        `${table_name}\n  before ${before ?? '(nothing)'}\n  after  ${after ?? '(nothing)'}`,
    )
    .join('\n')
}

export function forgetAnnounced(): void {
  announced = []
}

function covers({ account_id, tables }: Announced, difference: Difference): boolean {
  return (!account_id || account_id === difference.account_id) && (!tables || tables.includes(difference.table_name))
}

export function refusal(changes: string): Error {
  return new Error(`The test changed what nobody in it means (tests/support/bystanders):\n${changes}`)
}
