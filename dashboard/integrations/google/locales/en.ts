export const en = {
  google: {
    beta: 'beta',
    alpha: 'alpha',
    pending: 'Google verification is pending.',
    failed: 'The connection could not be loaded',
    connect: 'Connect',
    change: 'Change the connection',
    consent: 'Google asks for your permission and leads back here.',
    email: 'Email address',
    synced: 'Last synced',
    gmail: {
      text: 'Emails to a Gmail address become conversations of this inbox.',
      how: {
        in: 'New emails become conversations within a minute. Answers join their conversation.',
        out: 'Replies are sent from the mailbox, in the same thread. Teammates who connect their own Gmail in My profile send from that instead.',
        safe: 'Spam, drafts and promotions are left out, and nothing in the mailbox is deleted.',
      },
    },
    sheets: {
      text: 'A row for each new customer with an email address.',
      how: {
        connect: 'Connect Google. A spreadsheet of its own is created when you switch the rows on.',
        switch: 'From then on each new customer with an email address becomes a row, once.',
        safe: 'Values that look like formulas are kept as text.',
      },
      adds_customers: 'Add a row for each new customer',
      adds_customers_hint: 'Customers who came before are not added.',
      spreadsheet: 'Spreadsheet',
      open: 'Open in Google Sheets',
      create: 'Create a new spreadsheet',
    },
    notes: {
      title: 'Google requirements',
      redirect: 'The redirect URL must be https on a public name, or http://localhost.',
      internal: 'With Google Workspace, make the app Internal: it needs no review.',
      testing:
        'Otherwise an app in Testing works for 100 people, and has to be connected again every seven days; an unverified one shows a warning.',
    },
  },
}
