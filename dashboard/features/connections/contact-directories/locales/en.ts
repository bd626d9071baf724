export const en = {
  directories: {
    text: 'Find your customers in {{name}} from a conversation, and add those who are not there yet.',
    how: {
      look: 'Beside a conversation you see whether the customer is in {{name}}, with a link to their profile there.',
      add: 'A customer who is not there yet is added with one button, with name, email address and phone number.',
      safe: 'Nothing is added or changed in {{name}} without somebody pressing that button.',
    },
    connect: 'Connect',
    change: 'Change the connection',
    ways: 'Use a key created there, which needs no public address, or the vendor’s consent page.',
    tokens: { hubspot: 'Service key', intercom: 'Access token' },
    token_hints: {
      hubspot:
        'In HubSpot: Development → Keys → Service keys. It needs crm.objects.contacts.read and crm.objects.contacts.write.',
      intercom: 'In Intercom: Settings → Integrations → Developer Hub → your app → Authentication.',
    },
    connected: '{{name}} is connected.',
    account: 'Account',
    since: 'Connected since',
  },
}
