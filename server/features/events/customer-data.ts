import type { CustomerData } from '../../customer-data.ts'

export const eventsData: CustomerData = {
  table: 'events',
  merge: { stays: 'The log says what was true when it happened.' },
  export: { leftOut: 'It repeats for a few days what the document says.' },
  delete: { stays: 'Whoever was away learns from it that the customer is gone.' },
  erase: {
    goesWith: 'Whatever speaks of the customer is taken out of the log and of mails (erasure/forget-mentions.ts).',
  },
}
