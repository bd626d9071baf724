export const en = {
  plan_notices: {
    exceeded:
      "It looks like you've exceeded the limits of your current plan. Please upgrade by {{date}} to prevent any features from disabling!",
    too_many_users: 'Your plan includes {{limit}} users, and you have {{count}}.',
    too_many_messages: 'Your plan includes {{limit}} messages, and you have {{count}}.',
    payment_failed:
      'Your last payment has failed. Your plan stays until {{date}}; please update your card, or pay the invoice, before then.',
    payment_waits: 'Your first payment has not been made yet. Please choose another card, or confirm the payment.',
    pay: 'Pay the invoice',
    open: 'Open billing',
    integration: 'This integration is only available on the Lite and Team subscription plans.',
    lite: 'This feature is only available on the Lite and Team subscription plans.',
    team: 'This feature is only available on the Team subscription plan.',
    email_forwarding:
      'Email forwarding will only be available on the Lite and Team subscription plans. <trial>Sign up for a free trial!</trial>',
    upgrade: 'Upgrade subscription',
  },
}
