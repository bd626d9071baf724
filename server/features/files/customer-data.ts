import type { CustomerData } from '../../customer-data.ts'
import { destroyFilesOf } from './files.ts'

export const filesData: CustomerData = {
  table: 'files',
  merge: { stays: 'It notes who uploaded a file. Erasing asks for everybody who became part of the customer.' },
  export: { leftOut: 'They are named in the messages that they are attached to.' },
  delete: { stays: 'They belong to conversations, which are archived.' },
  erase: async (context, change, account_id, ids) => ({
    files: await destroyFilesOf(context, change, account_id, ids),
  }),
}
