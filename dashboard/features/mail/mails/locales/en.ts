export const en = {
  mails: {
    title: 'Mails',
    text: 'The newest mails that were sent in the name of your company.',
    no_server:
      'No mail server is set up, so mails are kept here instead. Open one to read it. Set SMTP_URL to send them.',
    none: 'No mails yet.',
    templates: 'Email templates',
    to: 'To',
    subject: 'Subject',
    open: 'Open',
    failed: 'Rejected',
    waiting: 'Waiting',
    tried_one: 'Not sent yet, tried once',
    tried_other: 'Not sent yet, tried {{count}} times',
    unsent: 'Kept here, not sent',
    unsent_before_one:
      'One mail was written while no mail server was set up. Mails less than a day old are sent automatically.',
    unsent_before_other:
      '{{count}} mails were written while no mail server was set up. Mails less than a day old are sent automatically.',
    confirm_send_one: 'Send one mail that was kept?',
    confirm_send_other: 'Send {{count}} mails that were kept?',
    send_unsent: 'Send kept mails',
    retry: 'Send now',
    retried: 'The mail is being sent again.',
    list_failed: 'The mails could not be loaded',
    one_failed: 'The mail could not be loaded',
    forgotten:
      'This email gives access to somebody’s account, so it is not shown here. Without a mail server, whoever runs Parley finds its link in the server’s log.',
  },
}
