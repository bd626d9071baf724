import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { appendFile, copyFile, mkdir, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { toJson } from '#server/platform/db/to-json.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { linesOf, writeLine } from '../lines.ts'
import type { SourceRow } from './row-files.ts'

/** Something that is read of a source at once, such as a conversation with its messages. */
export interface Unit {
  /** Such as `conversation 5`. */
  name: string
  /** What tells it from an earlier state of it. */
  version: string
  rows: [table: string, rows: SourceRow[]][]
  /** What the reader has to know of it when it goes on later. */
  memory: object
}

/** The last line of a unit. Before it come those of its rows, each a table and a row. */
interface End extends Pick<Unit, 'name' | 'version' | 'memory'> {
  /** When it was read. */
  at: number
}

/** Where a unit is: its first line, and the one that ends it. */
interface Kept {
  version: string
  from: number
  to: number
}

/** Older units are read again: what does not show in their version may have changed. */
const KEEP_MS = 86_400_000

/**
 * Rows of a source in a file, unit by unit, so that a reading that was stopped goes on behind the last whole unit. A unit
 * that is read again takes the place of the earlier one.
 */
export class UnitFile {
  readonly #path: string
  readonly #units = new Map<string, Kept>()
  /** Names of the units that the source still has. */
  readonly #used = new Set<string>()
  #lines = 0
  #file: WriteStream | undefined
  #writing: Promise<void> = Promise.resolve()

  private constructor(path: string) {
    this.#path = path
  }

  /**
   * Goes on with what an earlier run has left in the folder. It works on a copy: should that run still be there, it
   * ends with an error instead of writing into the same file.
   * @param remember called with what each unit remembers
   */
  static async open(folder: string, remember: (memory: object) => void): Promise<UnitFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const earlier = (await readdir(folder)).sort()
    const path = join(folder, `${Date.now()}-${randomUUID()}.jsonl`)
    await writeFile(path, '', { mode: 0o600 })
    const last = earlier.at(-1)
    if (last) await copyFile(join(folder, last), path)
    for (const name of earlier) await rm(join(folder, name), { force: true })
    const units = new UnitFile(path)
    await units.#read(remember)
    return units
  }

  async #read(remember: (memory: object) => void): Promise<void> {
    let start = 0
    let bytes = 0
    let whole = 0
    for await (const line of linesOf(createReadStream(this.#path))) {
      bytes += Buffer.byteLength(line) + 1
      this.#lines++
      if (!line.startsWith('{')) continue
      const end = parseEnd(line)
      if (!end) break
      if (Date.now() - end.at < KEEP_MS) {
        this.#units.set(end.name, { version: end.version, from: start, to: this.#lines - 1 })
        remember(end.memory)
      }
      start = this.#lines
      whole = bytes
    }
    this.#lines = start
    const { size } = await stat(this.#path)
    // The last line may lack its end, or be half written.
    if (whole > size) await appendFile(this.#path, '\n')
    else await truncate(this.#path, whole)
    this.#file = createWriteStream(this.#path, { flags: 'a' })
  }

  /** Whether this state of the unit is here; it is then used. */
  use(name: string, version: string): boolean {
    if (this.#units.get(name)?.version !== version) return false
    this.#used.add(name)
    return true
  }

  /** Adds a unit; several at once are written one after another. */
  add({ name, version, rows, memory }: Unit): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const from = this.#lines
      for (const [table, list] of rows) for (const row of list) await this.#write([table, row])
      await this.#write({ name, version, memory, at: Date.now() } satisfies End)
      this.#units.set(name, { version, from, to: this.#lines - 1 })
      this.#used.add(name)
    })
    return this.#writing
  }

  async #write(value: object): Promise<void> {
    this.#lines++
    await writeLine(this.#file!, toJson(value))
  }

  /** Ends the writing. */
  async finish(): Promise<void> {
    await this.#writing
    await new Promise((resolve) => this.#file!.end(resolve))
  }

  /**
   * The rows of the latest state of each unit that is used, as JSON, in the order in which they were written.
   * @throws OperatorError if a later run has taken the file
   */
  async *rows(): AsyncGenerator<{ table: string; row: string }> {
    const used = [...this.#units].filter(([name]) => this.#used.has(name))
    const ranges = used.map(([, range]) => range).sort((a, b) => a.from - b.from)
    let number = -1
    let at = 0
    for await (const line of linesOf(await this.#stream())) {
      number++
      while (ranges[at] && ranges[at]!.to < number) at++
      const range = ranges[at]
      if (!range) return
      if (number < range.from || number === range.to) continue
      const comma = line.indexOf(',')
      yield { table: JSON.parse(line.slice(1, comma)) as string, row: line.slice(comma + 1, -1) }
    }
  }

  async #stream() {
    await stat(this.#path).catch(() => {
      throw new OperatorError('Another import has taken over what this one read. Nothing was changed here.')
    })
    return createReadStream(this.#path)
  }
}

/** @returns undefined for a line that was only half written */
function parseEnd(line: string): End | undefined {
  try {
    return JSON.parse(line) as End
  } catch {
    return undefined
  }
}
