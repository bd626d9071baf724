import type { CustomerData } from '../../../customer-data.ts'

export const eventsData: CustomerData = {
  table: 'events',
  merge: { stays: 'The log describes events as they were.' },
  export: { leftOut: 'It repeats the content of the export for a few days.' },
  delete: { stays: 'Clients that were offline learn from it that the customer was deleted.' },
  erase: {
    goesWith: 'All mentions of the customer are removed from the log and from mails (erasure/forget-mentions.ts).',
  },
}
