import type { CustomerData } from '../../../customer-data.ts'
import { destroyFilesOf, releaseFilesOf } from './files.ts'

export const filesData: CustomerData = {
  table: 'files',
  merge: { stays: 'It records who uploaded a file. Erasing includes everybody merged into the customer.' },
  export: { leftOut: 'They are listed with the messages they are attached to.' },
  // Those in conversations stay, which are archived.
  delete: releaseFilesOf,
  erase: async (context, change, account_id, ids) => ({
    files: await destroyFilesOf(context, change, account_id, ids),
  }),
}
