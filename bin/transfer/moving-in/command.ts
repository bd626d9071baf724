import type { Installation } from '../../installation.ts'
import { printProgress } from './progress.ts'
import type { MoveOptions, Reader } from './reader.ts'
import { writeReport } from './report.ts'
import { runImport } from './run-import.ts'

/** `npm run parley -- import-papercups …`, and for each other product. */
export async function importByCommand(
  installation: Installation,
  reader: Reader,
  address: string,
  options: MoveOptions,
): Promise<void> {
  const started = Date.now()
  const { onProgress, clear } = printProgress(process.stderr)
  const { report, path } = await runImport(installation, reader, address, options, onProgress).finally(clear)
  process.stdout.write(writeReport(report))
  console.log(`This report is also in ${path}`)
  console.log(`It took ${Math.round((Date.now() - started) / 1_000)} s.`)
}
