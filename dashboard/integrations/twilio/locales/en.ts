export const en = {
  twilio: {
    text: 'Text messages to a number at Twilio become conversations of this inbox.',
    failed: 'The connection could not be loaded',
    connect: 'Connect a number',
    change: 'Change the connection',
    tried: 'The number is looked up at Twilio before anything is saved.',
    how: {
      console:
        'Copy the account SID and the auth token from the start page of the Twilio console, and enter your number.',
      in: 'New text messages, with their pictures, become conversations. Answers join their conversation.',
      out: 'Replies are sent from the number, in parts of 1,600 characters. Failures are shown below the message.',
      stop: 'Customers who send STOP, or the same in many languages, get no more messages until they send START; they are marked. A sentence with such a word gets a note for you.',
    },
    number: 'Phone number',
    number_hint: 'With its country code, as Twilio shows it.',
    sid: 'Account SID',
    token: 'Auth token',
    service: 'Messaging service SID (optional)',
    service_hint:
      'If your numbers share a messaging service: messages to any of them come in here, and each customer is answered from the number that they wrote to.',
    service_refusal: {
      unknown:
        'This account has no such messaging service. Its SID begins with MG, under Messaging › Services in the Twilio console.',
      without_number:
        'The number above is not in the sender pool of this messaging service. Add it there in the Twilio console.',
      too_large: 'A messaging service can be connected with up to 50 numbers.',
      connected_elsewhere: 'This messaging service is connected to another inbox. Disconnect it there first.',
    },
    stop_words: 'More words that unsubscribe (optional)',
    stop_words_hint: 'Separated by commas, such as the word that your advertisements name.',
    service_refused: 'The messaging service above cannot be used.',
    webhook: 'Let Twilio call this server',
    webhook_hint:
      'Messages arrive at once; otherwise Twilio is polled every minute. This changes the settings of the number at Twilio.',
    invalid: 'Invalid Twilio authorization details. Please check the inputs above and try again.',
    connected: 'The number is connected.',
  },
}
