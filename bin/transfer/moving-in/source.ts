import type pg from 'pg'
import type { Tables } from './reader.ts'

/** What a source holds. */
export interface Staged {
  /** Names of all its tables. */
  tables: Set<string>
  /** Numbers of rows of the tables that were asked for, as the source itself counts them. */
  counts: Map<string, number>
  /** Numbers of rows, by table, whose text was no valid UTF-8. */
  repaired: Map<string, number>
  /** What the report says about the source. */
  remarks?: string[]
}

/** Where rows come from: a live database, or a file. */
export interface Source {
  /**
   * Copies the tables into temporary ones of the target with constant memory; what the source lacks stays empty.
   * @param counted tables of which only the number of rows is wanted
   * @param onProgress called with the part that is done, from 0 to 1
   */
  stage(target: pg.Client, tables: Tables, counted: string[], onProgress: (fraction: number) => void): Promise<Staged>
  /** @param isMoved what was read is not needed again */
  close(isMoved: boolean): Promise<void>
}

/** Adds rows whose text was repaired. */
export function noteRepair({ repaired }: Staged, table: string, rows: number): void {
  repaired.set(table, (repaired.get(table) ?? 0) + rows)
}
