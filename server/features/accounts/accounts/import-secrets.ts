import type { EncryptedColumn } from '../../../platform/crypto/encrypted-columns.ts'

/** The secrets from which imports derive ids. Commands read and write them; the server only encrypts them anew. */
export const importSecrets: EncryptedColumn = { table: 'import_secrets', column: 'secret', row: 'product' }
