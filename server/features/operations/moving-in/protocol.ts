import type { MovingProgress, MovingReport, ProductId } from '#contract/operations/moving-in.ts'
import type { Config } from '../../../config.ts'
import type { ConnectionConfig } from '../../../platform/db/connection.ts'

/** What the process of an import is told, once. */
export interface ImportOrder {
  config: Config
  database: ConnectionConfig
  product: ProductId
  /** The path of the dump, or the address of the server whose API is read. */
  address: string
  /** For the API. */
  token: string | undefined
  account: string | null
  isDryRun: boolean
  /** Whether the same file was checked before, so that somebody has its report. */
  wasChecked: boolean
}

/** What it says: how far it is, and once at the end its report or why there is none. */
export type ImportNews = { progress: MovingProgress } | { report: MovingReport } | { failed: string }
