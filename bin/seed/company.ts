import type { SeedFile } from './attachments.ts'

/** The company that is seeded, with the ids of what exists before its customers. */
export interface Company {
  account_id: string
  users: { id: number; name: string }[]
  /** The last one is for customers who write Vietnamese. */
  inboxes: { id: string; address: string }[]
  /** Connections of earlier times: their threads are still linked. */
  former: { slack: string; twilio: string }
  customers: number
  conversations: number
  /** Total number; 0 gives each conversation its natural length. */
  messages: number
  /** How long ago the company began, in days. */
  days: number
  /** The share of conversations that are still open although they are older than two weeks. */
  open_share: number
  /** Files by the names in the texts; empty to send none. */
  files: Map<string, SeedFile>
}

/** Values of a table's row, in the order of its columns. */
export type Row = (string | number | boolean | null)[]

export const DOMAIN = 'lumenandoak.example'
export const DAY_MS = 86_400_000

/** A time as PostgreSQL reads it. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}
