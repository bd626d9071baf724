import { writeFile } from 'node:fs/promises'
import type { FilesCopied } from './files.ts'
import type { MoveResult } from './move-in.ts'
import { MAX_FILE_BYTES } from './objects.ts'

export interface Report extends Omit<MoveResult, 'account_ids'> {
  isDryRun: boolean
  /** Null in a dry run, which copies none. */
  files: FilesCopied | null
  /** The file with the rows that were set aside. */
  leftovers: string
}

const NUMBER_WIDTH = 12
const NAMES = 20

/** The report as a text: what was moved, table by table, and what was not with its reasons. */
export function writeReport(report: Report): string {
  const { counts, leftOut, remarks, repaired, leftovers, isDryRun } = report
  const lines = [
    isDryRun ? 'This was a dry run: nothing was changed.' : 'Everything was moved but what is named here.',
    '',
    row('', 'there', isDryRun ? 'would move' : 'moved', 'set aside', isDryRun ? '' : 'in Parley'),
  ]
  for (const { table, source, moved, reasons, present } of counts) {
    if (source === 0) continue
    lines.push(row(table, source, moved, source - moved, isDryRun || present === null ? '' : present))
    for (const [reason, count] of Object.entries(reasons)) lines.push(`    ${count.toLocaleString('en')} × ${reason}`)
  }
  if (!isDryRun) lines.push('', ...explainPresent(report))
  for (const [table, count] of repaired)
    lines.push(
      '',
      `${countOf(count, 'row', 'rows')} of ${table} had invalid text. The broken characters were replaced by �.`,
    )
  if (leftOut.length > 0) lines.push('', 'Not moved:')
  for (const { table, count, advice } of leftOut) lines.push(`  ${table} (${count.toLocaleString('en')}). ${advice}`)
  if (remarks.length > 0) lines.push('', 'To know:', ...remarks.map((remark) => `  ${remark}`))
  if (counts.some(({ source, moved }) => moved < source))
    lines.push('', `Each row that was set aside is in ${leftovers}`)
  lines.push(...describeFiles(report.files))
  return `${lines.join('\n')}\n`
}

/** Why the numbers of both sides may differ. */
function explainPresent({ counts }: Report): string[] {
  const fewer = counts.filter(({ moved, present }) => present !== null && present < moved).map(({ table }) => table)
  const more = counts
    .filter(({ source, moved, present }) => source > 0 && (present ?? 0) > moved)
    .map(({ table }) => table)
  return [
    ...(fewer.length + more.length === 0 ? ['Both sides have the same numbers.'] : []),
    ...(fewer.length > 0 ? [`Fewer in Parley, because equal rows were joined: ${fewer.join(', ')}.`] : []),
    ...(more.length > 0 ? [`More in Parley, made there or needed by others: ${more.join(', ')}.`] : []),
  ]
}

function describeFiles(files: FilesCopied | null): string[] {
  if (!files) return []
  const lines = files.copied > 0 ? ['', `Copied ${countOf(files.copied, 'attached file', 'attached files')}.`] : []
  if (files.pictures > 0) lines.push('', `Copied the pictures of ${countOf(files.pictures, 'person', 'people')}.`)
  if (files.lost_pictures > 0) {
    lines.push(
      '',
      `Pictures of people that are missing, or are no pictures: ${files.lost_pictures.toLocaleString('en')}.`,
    )
  }
  if (files.missing > 0) {
    lines.push(
      '',
      `The bytes of ${countOf(files.missing, 'attached file', 'attached files')} are not to be had. Run the import again with --files once you have them:`,
      ...files.names.slice(0, NAMES).map((name) => `  ${name}`),
    )
  }
  if (files.too_large.length > 0) {
    lines.push(
      '',
      `Files larger than ${MAX_FILE_BYTES / 1e6} MB are not copied. Keep those you need elsewhere:`,
      ...files.too_large.map((name) => `  ${name}`),
    )
  }
  if (files.damaged > 0) {
    lines.push(
      '',
      `The bytes of ${countOf(files.damaged, 'attached file', 'attached files')} differ from their checksum. They were copied as they are.`,
    )
  }
  return lines
}

/** `1 row`, `1,234 rows`. */
function countOf(count: number, singular: string, plural: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
}

/** Writes the report into a file. */
export async function saveReport(path: string, report: Report): Promise<void> {
  await writeFile(path, writeReport(report))
}

function row(name: string, ...cells: (string | number)[]): string {
  const texts = cells.map((cell) =>
    (typeof cell === 'number' ? cell.toLocaleString('en') : cell).padStart(NUMBER_WIDTH),
  )
  return (name.padEnd(24) + texts.join('')).trimEnd()
}
