export const en = {
  connections: {
    not_connected: 'Not connected',
    states: {
      connected: 'Connected',
      waiting: 'Waiting for the first message',
      resting: 'Resting until {{time}}',
      broken: 'Needs you',
    },
  },
}
