import { writeFile } from 'node:fs/promises'
import type { TableCounts } from './set-aside.ts'

interface Report {
  counts: TableCounts[]
  leftOut: { table: string; count: number; advice: string }[]
  /** The file with the rows that were set aside. */
  leftovers: string
  /** Where the report is written. */
  report: string
  isDryRun: boolean
  say(line: string): void
}

const NUMBER_WIDTH = 12

/** Prints what was moved, table by table, and what was not with its reasons; and writes the same into a file. */
export async function printReport({ counts, leftOut, leftovers, report, isDryRun, say }: Report): Promise<void> {
  const lines = [
    isDryRun ? 'This was a dry run: nothing was changed.' : 'Everything was moved but what is named here.',
    '',
  ]
  lines.push(row('', 'there', isDryRun ? 'would move' : 'here', 'set aside'))
  for (const { table, source, moved, reasons } of counts) {
    if (source === 0) continue
    lines.push(row(table, source, moved, source - moved))
    for (const [reason, count] of Object.entries(reasons)) lines.push(`    ${count.toLocaleString('en')} × ${reason}`)
  }
  if (leftOut.length > 0) lines.push('', 'Not moved:')
  for (const { table, count, advice } of leftOut) lines.push(`  ${table} (${count.toLocaleString('en')}). ${advice}`)
  if (counts.some(({ source, moved }) => moved < source))
    lines.push('', `Each row that was set aside is in ${leftovers}`)
  await writeFile(report, `${lines.join('\n')}\n`)
  for (const line of lines) say(line)
  say(`This report is also in ${report}`)
}

function row(name: string, ...cells: (string | number)[]): string {
  const texts = cells.map((cell) =>
    (typeof cell === 'number' ? cell.toLocaleString('en') : cell).padStart(NUMBER_WIDTH),
  )
  return name.padEnd(24) + texts.join('')
}
