import { defineMetric } from '../../../metric.ts'
import { readConsumerLag } from './consumer-lag.ts'

const consumerLag = defineMetric('parley_consumer_lag_seconds', {
  help: 'Age of the oldest event that a consumer of the log has not read.',
  type: 'gauge',
  labels: ['consumer'],
  read: async (context) =>
    (await readConsumerLag(context)).map(({ name, seconds }) => ({ labels: { consumer: name }, value: seconds })),
})

const failingConsumers = defineMetric('parley_consumers_failing', {
  help: 'Consumers that fail on this server and are retried.',
  type: 'gauge',
  labels: [],
  read: ({ eventLog }) => [{ value: eventLog.failing().length }],
})

const lateEvents = defineMetric('parley_events_late_total', {
  help: 'Events that no server had broadcast within a second, and that this one sent to its own sockets from the log.',
  type: 'counter',
  labels: [],
  read: ({ eventLog }) => [{ value: eventLog.late() }],
})

/** Metrics of the event log's consumers. */
export const eventMetrics = [consumerLag, failingConsumers, lateEvents]
