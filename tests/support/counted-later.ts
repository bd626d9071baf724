/** Tables that a consumer updates shortly after conversations and messages have changed. */
export const COUNTED_LATER = [
  'message_counts',
  'reporting_time_zones',
  'conversation_figures',
  'author_totals',
  'hour_totals',
  'conversation_totals',
  'duration_totals',
]
