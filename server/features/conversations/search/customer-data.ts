import type { CustomerData } from '../../../customer-data.ts'

export const messageWordsData: CustomerData = {
  table: 'message_words',
  merge: { stays: 'The database keeps them like the messages.' },
  export: { leftOut: 'They repeat the text of the messages.' },
  delete: { stays: 'They belong to conversations, which are archived.' },
  erase: { goesWith: 'The database deletes them with the messages.' },
}
