export const en = {
  search: {
    hints: 'Search messages, people and subjects, or narrow it down:',
    operators: {
      from: 'written by somebody',
      tag: 'in conversations with a tag',
      inbox: 'in one inbox',
      assignee: 'assigned to somebody, or to nobody',
      status: 'open or closed',
      before: 'older than a day',
      after: 'from a day on',
      has: 'with a file attached',
    },
    results: 'Search results',
    count_one: '{{count}} result',
    count_other: '{{count}} results',
    subject: 'Subject: {{subject}}',
    nothing: 'No messages match',
    nothing_text: 'Try fewer or other words. Beginnings of words are enough, and accents do not matter.',
    failed: 'The search failed',
  },
}
