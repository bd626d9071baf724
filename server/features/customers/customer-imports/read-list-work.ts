import { readCsv } from './csv.ts'

/** Columns of a list of customers that are read. */
const MAX_COLUMNS = 200

/** Part of a CSV file. */
export interface ListPart {
  /** The first row; undefined if the file is empty. */
  head: string[] | undefined
  /** The rows asked for. */
  rows: string[][]
  /** Number of all rows below the first one. */
  total: number
}

/** Reads some rows of a CSV file, and counts all. Runs in a worker process. */
export function work({ content, from, count }: { content: string; from: number; count: number }): ListPart {
  const lines = readCsv(content)
  const head = lines.next().value?.slice(0, MAX_COLUMNS)
  const rows: string[][] = []
  let total = 0
  for (const line of lines) {
    if (total >= from && rows.length < count) rows.push(line.slice(0, MAX_COLUMNS))
    total++
  }
  return { head, rows, total }
}
