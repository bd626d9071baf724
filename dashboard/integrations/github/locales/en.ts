export const en = {
  github: {
    text: 'Follow the GitHub issues your customers wait for, from your conversations.',
    failed: 'The connection could not be loaded',
    how: {
      link: 'When somebody writes the address of an issue in a conversation, the customer is subscribed to it, and a private note says so.',
      follow:
        'When the issue is closed or reopened at GitHub, it changes here too, and a note appears in the conversation of everybody who waits for it.',
      safe: 'Nothing is changed at GitHub unless you switch it on below. Your server needs no public address: GitHub is polled every five minutes.',
    },
    connect: 'Connect',
    change: 'Change the connection',
    ways: 'With an app of your own, which you create and install at GitHub in two steps, or with a fine-grained token.',
    use_app: 'Connect with a GitHub app',
    change_app: 'Choose other repositories',
    token: 'Token',
    token_hint: 'At GitHub: Settings → Developer settings → Fine-grained tokens, with read and write access to Issues.',
    connected: 'GitHub is connected.',
    account: 'Account',
    kind: 'Connected by',
    kinds: { app: 'An app', token: 'A token' },
    closes_issues: 'Close issues at GitHub too',
    closes_issues_hint:
      'Issues moved to done or closed here are closed at GitHub, and reopened when they are reopened here.',
    repositories: 'Repositories',
    repositories_text: 'Issues of these repositories can be followed.',
    repositories_failed: 'Repositories could not be loaded',
    no_repositories: 'None. Give the app or the token access to a repository at GitHub.',
  },
}
