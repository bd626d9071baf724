export const en = {
  mattermost: {
    text: 'Conversations of this inbox are posted to a channel of your Mattermost server, and answered from there.',
    how: {
      out: 'Each conversation becomes a thread in the channel you choose.',
      in: 'What your team writes in the thread is sent to the customer. Begin with ;; or \\\\ to write a private note.',
      safe: 'A live connection brings answers. No public address of your server is needed.',
    },
    failed: 'Mattermost could not be loaded',
    connect: 'Connect Mattermost',
    change: 'Change the connection',
    connect_text:
      'In Mattermost: Integrations → Bot Accounts → Add Bot Account, then add the bot to the team and to the channel.',
    connected: 'Mattermost is connected.',
    url: 'Mattermost URL',
    token: 'Bot token',
    webhook: 'Webhook token',
    webhook_hint: 'Only for an outgoing webhook beside the live connection. Leave empty otherwise.',
    channel: 'Channel',
    choose: 'Choose a channel',
    error: 'Mattermost error: {{message}}',
  },
}
