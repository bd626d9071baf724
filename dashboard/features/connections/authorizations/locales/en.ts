export const en = {
  connections: {
    not_connected: 'Not connected',
    states: {
      connected: 'Connected',
      waiting: 'Waiting for the first message',
      resting: 'Paused until {{time}}',
      failing: 'Interrupted',
      broken: 'Action required',
    },
  },
}
