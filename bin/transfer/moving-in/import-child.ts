import pino from 'pino'
import { messageOf } from '#server/errors.ts'
import type { ImportNews, ImportOrder } from '#server/features/operations/moving-in/protocol.ts'
import { adviceForOperator } from '#server/platform/db/problems.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { createEstimate } from './progress.ts'
import { READERS } from './readers.ts'
import { type Report, writeReport } from './report.ts'
import { runImport } from './run-import.ts'

/** The process in which a server runs an import that somebody has started in the dashboard. */

const NEWS_MS = 300

// Without its server nobody waits for the end.
process.once('disconnect', () => process.exit(1))
process.once('message', (order) => {
  void work(order as ImportOrder)
    .then((report) => tell({ report: reportOf(report) }))
    .catch((error) => tell({ failed: sentenceOf(error) }))
    .finally(() => process.disconnect())
})

async function work({
  config,
  database,
  product,
  address,
  token,
  account,
  isDryRun,
  wasChecked,
}: ImportOrder): Promise<Report> {
  const installation = { config, connection: database, log: pino({ level: 'silent' }) }
  const reader = READERS.find(({ id }) => id === product)!
  const estimate = createEstimate()
  let last = { part: '', at: 0 }
  const { report } = await runImport(
    installation,
    reader,
    address,
    // The report of a check says what everybody in the team will see: whoever goes on has agreed.
    { accounts: account === null ? [] : [account], token, isDryRun, own: wasChecked ? { inboxes: 'shared' } : {} },
    (part, fraction) => {
      if (last.part === part && Date.now() - last.at < NEWS_MS) return
      last = { part, at: Date.now() }
      void tell({ progress: estimate(part, fraction) })
    },
  )
  return report
}

/** Resolves when it was sent, so that the process does not end before. */
function tell(news: ImportNews): Promise<void> {
  return new Promise((resolve) => process.send!(news, () => resolve()))
}

function reportOf(report: Report) {
  return {
    is_dry_run: report.isDryRun,
    tables: report.counts.filter(({ source }) => source > 0),
    left_out: report.leftOut,
    missing_files: report.files?.missing ?? 0,
    text: writeReport(report),
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof OperatorError ? error.message : (adviceForOperator(error) ?? messageOf(error))
}
