export const en = {
  bot_demo: {
    title: 'Teach a bot',
    disabled:
      'The hosted bot is temporarily disabled. What you teach here is answered by this browser alone. There is also a <demo>demo of the chat widget</demo>.',
    question: 'Question',
    answer: 'Answer',
    add: 'Add training data',
    failed: 'Error adding training data!',
    failed_text: 'Both the question and answer text are required.',
    pairs: 'Training data',
    empty: 'The bot knows nothing yet. Add a question and its answer.',
    remove: 'Remove: {{question}}',
    try: 'Ask the bot',
    log: 'Conversation with the bot',
    greeting: 'Hi! Ask me something.',
    your_question: 'Your question',
    send: 'Ask',
    unknown: 'I do not know that yet. You can teach me.',
  },
}
