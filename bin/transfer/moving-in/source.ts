import type pg from 'pg'
import type { Tables } from './reader.ts'

/** What a source holds. */
export interface Staged {
  /** Names of all its tables. */
  tables: Set<string>
  /** Numbers of rows of the tables that are only counted, as far as they exist. */
  counts: Map<string, number>
}

/** Where rows come from: a live database, or a file. */
export interface Source {
  /** As people call it in sentences. */
  description: string
  /**
   * Copies the tables into temporary ones of the target with constant memory; what the source lacks stays empty.
   * @param counted tables of which only the number of rows is wanted
   */
  stage(target: pg.Client, tables: Tables, counted: string[]): Promise<Staged>
  close(): Promise<void>
}
