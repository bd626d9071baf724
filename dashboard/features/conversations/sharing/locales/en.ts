export const en = {
  shared: {
    with: 'Conversation with {{name}}',
    text: 'A shared conversation, to read only',
    nothing: 'No messages',
    failed: 'This conversation cannot be shown',
  },
}
