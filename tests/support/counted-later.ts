/** Tables that a consumer updates shortly after messages have changed. */
export const COUNTED_LATER = ['message_counts', 'reporting_time_zones']
