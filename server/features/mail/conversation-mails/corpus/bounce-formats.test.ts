import { expect, test } from 'vitest'
import { bytesOf, mail, parts, read } from './reading.ts'

const ID = '<0b1c7a52-2d5b-4f0a-8f43-5a9d1f0c2b7e@lamps.test>'
const HEADERS = `From: Lamps <help@lamps.test>\nTo: ines@home.test\nSubject: Re: Lamp 12\nMessage-ID: ${ID}\nDate: Fri, 20 Nov 2026 10:00:00 +0000`
const TEXT = 'Content-Type: text/plain; charset=utf-8'
const HTML = 'Content-Type: text/html; charset=utf-8'

/** How a server writes its report: as one text, with the mail that came back, or with a part for machines, too. */
type Form = 'text' | 'html' | 'returned' | 'report' | 'headers only'

interface Written {
  from: string
  subject: string
  text: string
  form: Form
  others?: string
  fields?: string
}

const FAILED =
  'Final-Recipient: rfc822; ines@home.test\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 unknown'
const DELAYED = 'Final-Recipient: rfc822; ines@home.test\nAction: delayed\nStatus: 4.4.1'

function write({ from, subject, text, form, others = '', fields = FAILED }: Written): Buffer {
  const head = `${others}${others && '\n'}From: ${from}\nTo: help@lamps.test\nSubject: ${bytesOf(subject)}`
  if (form === 'text' || form === 'html') return mail(bytesOf(text), form === 'html' ? HTML : TEXT, head)
  const returned = [
    `Content-Type: ${form === 'headers only' ? 'text/rfc822-headers' : 'message/rfc822'}\n\n${HEADERS}\n\nOn its way.`,
  ]
  const status = `Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.test\n\n${fields}`
  const content = `${TEXT}\n\n${bytesOf(text)}`
  if (form === 'returned') return mail(...parts('mixed', content, ...returned), head)
  const [body, headers] = parts('report', content, status, ...returned)
  return mail(body, headers.replace(';', '; report-type=delivery-status;'), head)
}

/** The mail that came back, inside of the text. */
const below = (line: string) => `\n\n${line}\n\nReturn-Path: <help@lamps.test>\n${HEADERS}\n\nOn its way.\n`
const EMPTY = 'Return-Path: <>'
const daemon = (host: string) => `Mail Delivery System <MAILER-DAEMON@${host}>`

const BOUNCES: Record<string, Written> = {
  Postfix: {
    from: daemon('mx.test'),
    subject: 'Undelivered Mail Returned to Sender',
    text: "This is the mail system at host mx.test.\n\nI'm sorry to have to inform you that your message could not\nbe delivered to one or more recipients. It's attached below.\n\n<ines@home.test>: host mx.home.test[192.0.2.1] said: 550 5.1.1 <ines@home.test>: Recipient address rejected: User unknown in virtual mailbox table (in reply to RCPT TO command)",
    form: 'report',
    others: EMPTY,
  },
  'Postfix, without the part for machines': {
    from: daemon('mx.test'),
    subject: 'Undelivered Mail Returned to Sender',
    text: 'This is the mail system at host mx.test.\n\n<ines@home.test>: Host or domain name not found. Name service error for name=home.test type=A: Host not found',
    form: 'returned',
  },
  'Postfix, headers alone': {
    from: daemon('mx.test'),
    subject: 'Undelivered Mail Returned to Sender',
    text: '<ines@home.test>: mail for home.test loops back to myself',
    form: 'headers only',
  },
  'Postfix, late': {
    from: daemon('mx.test'),
    subject: 'Delayed Mail (still being retried)',
    text: '# THIS IS A WARNING ONLY.  YOU DO NOT NEED TO RESEND YOUR MESSAGE. #\n\nIt will be retried until it is 5 days old.\n\n<ines@home.test>: connect to mx.home.test[192.0.2.1]:25: Connection timed out',
    form: 'report',
    fields: DELAYED,
  },
  'Postfix, translated into German': {
    from: 'Mailzustellsystem <MAILER-DAEMON@mx.test>',
    subject: 'Nicht zustellbare Nachricht zurück an Absender',
    text: 'Dies ist das Mailsystem auf mx.test.\n\nIhre Nachricht konnte nicht zugestellt werden.\n\n<ines@home.test>: host mx.home.test[192.0.2.1] said: 550 5.1.1 unbekannt',
    form: 'returned',
  },
  'Exim, unknown local part': {
    from: 'Mail Delivery System <Mailer-Daemon@mx.test>',
    subject: 'Mail delivery failed: returning message to sender',
    text: `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ines@home.test\n    Unrouteable address${below('------ This is a copy of the message, including all the headers. ------')}`,
    form: 'text',
    others: 'X-Failed-Recipients: ines@home.test\nAuto-Submitted: auto-replied',
  },
  'Exim, refused by the other server': {
    from: 'Mail Delivery System <Mailer-Daemon@mx.test>',
    subject: 'Mail delivery failed: returning message to sender',
    text: 'A message that you sent could not be delivered.\n\n  ines@home.test\n    host mx.home.test [192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<ines@home.test>:\n    550 5.1.1 <ines@home.test>: user unknown',
    form: 'report',
    others: 'X-Failed-Recipients: ines@home.test',
  },
  'Exim, late': {
    from: 'Mail Delivery System <Mailer-Daemon@mx.test>',
    subject: 'Warning: message 1rXyZ-0001 delayed 24 hours',
    text: `This message was created automatically by mail delivery software.\n\nA message that you sent has not yet been delivered to one or more of its\nrecipients after more than 24 hours on the queue on mx.test.\n\nMessage-ID: ${ID}\n\nThe address to which the message has not yet been delivered is:\n\n  ines@home.test\n    Delay reason: Connection timed out\n\nNo action is required on your part.`,
    form: 'text',
  },
  'Exim, frozen and timed out': {
    from: 'Mail Delivery System <Mailer-Daemon@mx.test>',
    subject: 'Mail failure - rejected by local scanning code',
    text: `A message that you sent was rejected by the local scanning code that checks incoming messages on this system.\n\nThe following address failed:\n  ines@home.test${below('------ This is a copy of your message, including all the headers.')}`,
    form: 'text',
  },
  'Sendmail, transcript': {
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.test>',
    subject: 'Returned mail: see transcript for details',
    text: 'The original message was received at Fri, 20 Nov 2026\n\n   ----- The following addresses had permanent fatal errors -----\n<ines@home.test>\n    (reason: 550 5.1.1 <ines@home.test>... User unknown)\n\n   ----- Transcript of session follows -----\n>>> DATA\n<<< 550 5.1.1 <ines@home.test>... User unknown',
    form: 'report',
  },
  'Sendmail, user unknown': {
    from: 'Mail Delivery Subsystem <MAILER-DAEMON>',
    subject: 'Returned mail: User unknown',
    text: `   ----- The following addresses had permanent fatal errors -----\n<ines@home.test>\n\n   ----- Transcript of session follows -----\n550 <ines@home.test>... User unknown${below('   ----- Original message follows -----')}`,
    form: 'text',
  },
  'Sendmail, late': {
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.test>',
    subject: 'Warning: could not send message for past 4 hours',
    text: '**      THIS IS A WARNING MESSAGE ONLY      **\n**  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n\n   ----- The following addresses had transient non-fatal errors -----\n<ines@home.test>\n\n451 4.4.1 reply: read error',
    form: 'report',
    fields: DELAYED,
  },
  'Sendmail, host unknown': {
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@mx.test>',
    subject: 'Returned mail: Host unknown (Name server: home.test: host not found)',
    text: `   ----- Transcript of session follows -----\n550 ines@home.test... Host unknown (Name server: home.test: host not found)${below('   ----- Unsent message follows -----')}`,
    form: 'text',
  },
  qmail: {
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.test.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<ines@home.test>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 5.1.1 unknown\nGiving up on 192.0.2.1.${below('--- Below this line is a copy of the message.')}`,
    form: 'text',
    others: EMPTY,
  },
  'qmail, no mailbox': {
    from: '<MAILER-DAEMON@mx.test>',
    subject: 'failure notice',
    text: `Hi. This is the qmail-send program at mx.test.\n\n<ines@home.test>:\nSorry, no mailbox here by that name. (#5.1.1)${below('--- Below this line is a copy of the message.')}`,
    form: 'text',
  },
  'qmail, in Japanese': {
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failure notice',
    text: `qmail-send プログラムからのお知らせです。\n\n<ines@home.test>:\nユーザーが存在しません。 (#5.1.1)${below('--- Below this line is a copy of the message.')}`,
    form: 'text',
  },
  'netqmail in Yahoo’s words': {
    from: 'MAILER-DAEMON@yahoo.test',
    subject: 'Failure Notice',
    text: `Sorry, we were unable to deliver your message to the following address.\n\n<ines@home.test>:\nNo MX or A records for home.test${below('--------- Forwarded message ---------')}`,
    form: 'text',
  },
  'Yahoo, over quota': {
    from: 'mailer-daemon@yahoo.test',
    subject: 'Failure Notice',
    text: 'Sorry, we were unable to deliver your message to the following address.\n\n<ines@home.test>:\n552: 1 Requested mail action aborted, mailbox not found',
    form: 'returned',
  },
  AOL: {
    from: 'Mail Delivery Subsystem <MAILER-DAEMON@aol.test>',
    subject: 'Returned mail: User unknown',
    text: 'Your mail to the following recipients could not be delivered because they are not accepting mail from help@lamps.test:\n\tines@home.test',
    form: 'returned',
  },
  Gmail: {
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification (Failure)',
    text: "** Address not found **\n\nYour message wasn't delivered to ines@home.test because the address couldn't be found, or is unable to receive mail.\n\nThe response was:\n\n550 5.1.1 The email account that you tried to reach does not exist.",
    form: 'report',
    others: EMPTY,
  },
  'Gmail, without the part for machines': {
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification (Failure)',
    text: `Delivery to the following recipient failed permanently:\n\n     ines@home.test\n\nTechnical details of permanent failure:\n550 5.1.1 no such user${below('----- Original message -----')}`,
    form: 'text',
  },
  'Gmail, late': {
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification (Delay)',
    text: 'There was a temporary problem delivering your message to ines@home.test. Gmail will retry for 46 more hours. You will be notified if the delivery fails permanently.',
    form: 'report',
    fields: DELAYED,
  },
  'Gmail in German': {
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification (Failure)',
    text: '** Die Adresse wurde nicht gefunden **\n\nIhre Nachricht wurde nicht an ines@home.test zugestellt, da die Adresse nicht gefunden wurde oder keine E-Mails empfangen kann.',
    form: 'report',
  },
  'Gmail in Vietnamese': {
    from: 'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    subject: 'Delivery Status Notification (Failure)',
    text: '** Không tìm thấy địa chỉ **\n\nThư của bạn không gửi được tới ines@home.test vì không tìm thấy địa chỉ.',
    form: 'returned',
  },
  'Exchange 2003': {
    from: 'postmaster@home.test',
    subject: 'Delivery Status Notification (Failure)',
    text: 'This is an automatically generated Delivery Status Notification.\n\nDelivery to the following recipients failed.\n\n       ines@home.test',
    form: 'report',
  },
  'Exchange 5.5': {
    from: 'System Administrator <postmaster@home.test>',
    subject: 'Undeliverable: Re: Lamp 12',
    text: 'Your message\n\n  To:      ines@home.test\n  Subject: Re: Lamp 12\n  Sent:    Fri, 20 Nov 2026 10:00:00 +0000\n\ndid not reach the following recipient(s):\n\nines@home.test on Fri, 20 Nov 2026 10:00:05 +0000\n    The recipient name is not recognized\n\tThe MTS-ID of the original message is: c=us;a= ;p=home;l=EXCH1',
    form: 'returned',
  },
  'Exchange 2010': {
    from: 'Microsoft Exchange Recipient <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@home.test>',
    subject: 'Undeliverable: Re: Lamp 12',
    text: "Delivery has failed to these recipients or groups:\n\nines@home.test\nThe e-mail address you entered couldn't be found. Please check the recipient's e-mail address and try to resend the message.\n\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##",
    form: 'report',
  },
  'Exchange 2013 without structure': {
    from: 'postmaster@home.test',
    subject: 'Undeliverable: Re: Lamp 12',
    text: `<p>Your message couldn't be delivered to ines@home.test.</p><p>Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'</p><p>Message-ID: &lt;${ID.slice(1, -1)}&gt;</p>`,
    form: 'html',
    others: EMPTY,
  },
  'Microsoft 365': {
    from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@lamps.onmicrosoft.com>',
    subject: 'Undeliverable: Re: Lamp 12',
    text: "Your message to ines@home.test couldn't be delivered.\nines wasn't found at home.test.",
    form: 'report',
  },
  'Microsoft 365 in German': {
    from: 'Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@lamps.onmicrosoft.com>',
    subject: 'Unzustellbar: Re: Lamp 12',
    text: 'Ihre Nachricht an ines@home.test konnte nicht zugestellt werden.\nines wurde unter home.test nicht gefunden.',
    form: 'report',
  },
  'Microsoft 365 in French': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'Non remis : Re: Lamp 12',
    text: 'Votre message à ines@home.test n’a pas pu être remis.\nines est introuvable sur home.test.',
    form: 'returned',
  },
  'Microsoft 365 in Spanish': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'No se puede entregar: Re: Lamp 12',
    text: 'No se pudo entregar el mensaje a ines@home.test.\nNo se encontró a ines en home.test.',
    form: 'returned',
  },
  'Microsoft 365 in Portuguese': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'Não é possível entregar: Re: Lamp 12',
    text: 'Não foi possível entregar a sua mensagem para ines@home.test.\n550 5.1.1 not found',
    form: 'returned',
  },
  'Microsoft 365 in Italian': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'Impossibile recapitare: Re: Lamp 12',
    text: 'Non è stato possibile recapitare il messaggio a ines@home.test.\nRecapito non riuscito.',
    form: 'returned',
  },
  'Microsoft 365 in Dutch': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'Onbestelbaar: Re: Lamp 12',
    text: 'Uw bericht aan ines@home.test kan niet worden bezorgd.\nines is niet gevonden bij home.test.',
    form: 'returned',
  },
  'Microsoft 365 in Japanese': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: '配信不能: Re: Lamp 12',
    text: 'ines@home.test へのメッセージを配信できませんでした。\nhome.test に ines が見つかりませんでした。',
    form: 'returned',
  },
  'Microsoft 365 in Chinese': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: '无法送达: Re: Lamp 12',
    text: '您发送给 ines@home.test 的邮件无法送达。\n在 home.test 上找不到 ines。',
    form: 'returned',
  },
  'Microsoft 365 in Polish': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'Niedostarczone: Re: Lamp 12',
    text: 'Nie można dostarczyć wiadomości do ines@home.test.\n550 5.1.10 not found',
    form: 'returned',
  },
  'Microsoft 365 in Swedish': {
    from: 'Microsoft Outlook <postmaster@outlook.com>',
    subject: 'Det gick inte att leverera: Re: Lamp 12',
    text: 'Ditt meddelande till ines@home.test kunde inte levereras.\n550 5.1.10 not found',
    form: 'returned',
  },
  'Amazon SES': {
    from: 'MAILER-DAEMON@amazonses.com',
    subject: 'Delivery Status Notification (Failure)',
    text: 'An error occurred while trying to deliver the mail to the following recipients:\nines@home.test',
    form: 'report',
  },
  'Amazon SES, no report': {
    from: 'MAILER-DAEMON@eu-west-1.amazonses.com',
    subject: 'Delivery Status Notification (Failure)',
    text: 'An error occurred while trying to deliver the mail to the following recipients:\nines@home.test',
    form: 'returned',
  },
  Mailgun: {
    from: 'Mail Delivery System <postmaster@mg.lamps.test>',
    subject: 'Undelivered Mail: message could not be delivered',
    text: 'Your message could not be delivered to one or more recipients.\n\nines@home.test: 550 5.1.1 No such user here',
    form: 'report',
  },
  SendGrid: {
    from: 'Mail Delivery System <mailer-daemon@sendgrid.test>',
    subject: 'Undelivered Mail Returned to Sender',
    text: 'This is an automatically generated message from SendGrid.\n\nI am sorry to have to tell you that your message was not able to be delivered to one of its intended recipients.\n\n<ines@home.test>: 550 5.1.1 unknown',
    form: 'report',
  },
  Zoho: {
    from: 'mailer-daemon@mail.zoho.test',
    subject: 'Undelivered Mail Returned to Sender',
    text: `This message was created automatically by mail delivery software.\n A message that you sent could not be delivered to one or more of its recipients. This is a permanent error.\n\nines@home.test, ERROR CODE :550 - 5.1.1 user unknown${below('Received:from mail.zoho.test')}`,
    form: 'text',
  },
  Fastmail: {
    from: daemon('messagingengine.test'),
    subject: 'Undelivered Mail Returned to Sender',
    text: 'This is the mail system at host messagingengine.test.\n\n<ines@home.test>: host mx.home.test said: 554 5.7.1 Relay access denied',
    form: 'report',
  },
  iCloud: {
    from: 'Internet Mail Delivery <postmaster@mac.test>',
    subject: 'Delivery Notification: Delivery has failed',
    text: 'This report relates to a message you sent with the following header fields:\n\nYour message cannot be delivered to the following recipients:\n\n  Recipient address: ines@home.test\n  Reason: Remote SMTP server has rejected address',
    form: 'report',
  },
  'Oracle’s messaging server': {
    from: 'Internet Mail Delivery <postmaster@mx.test>',
    subject: 'Delivery Notification: Delivery has timed out and failed',
    text: 'Your message is being returned; it has been enqueued and undeliverable for 3 days to the following recipients:\n\n  Recipient address: ines@home.test\n  Reason: unable to deliver this message after 3 days',
    form: 'returned',
  },
  GroupWise: {
    from: 'Mailer-Daemon@mx.test (Mail Delivery Subsystem)',
    subject: 'Message status - undeliverable',
    text: 'The message that you sent was undeliverable to the following:\n\tines@home.test (user not found)\n\nPossibly truncated original message follows:',
    form: 'returned',
  },
  'GroupWise’s gateway': {
    from: 'Post Office <MAILER-DAEMON@gw.home.test>',
    subject: 'Mail System Error - Returned Mail',
    text: 'The message that you sent was undeliverable to the following:\n\tines@home.test (mailbox is full)',
    form: 'returned',
  },
  'Lotus Domino': {
    from: 'Postmaster@home.test',
    subject: 'DELIVERY FAILURE: User ines (ines@home.test) not listed in Domino Directory',
    text: 'Your message\n\n  Subject: Re: Lamp 12\n\nwas not delivered to:\n\n  ines@home.test\n\nbecause:\n\n  User ines (ines@home.test) not listed in Domino Directory',
    form: 'report',
  },
  'Lotus Notes without a report': {
    from: 'Postmaster@home.test',
    subject: 'NON-DELIVERY of: Re: Lamp 12',
    text: 'Unable to deliver mail to ines@home.test\n\nUser not listed in public Name & Address Book',
    form: 'returned',
  },
  'IBM’s notes router': {
    from: 'Mail Router <Postmaster@home.test>',
    subject: 'DELIVERY FAILURE: 550 5.1.1 ines@home.test: Recipient unknown',
    text: 'Your message was not delivered to:\n\nines@home.test',
    form: 'headers only',
  },
  MDaemon: {
    from: 'MDaemon at home.test <MDaemon@home.test>',
    subject: 'Permanent Delivery Failure',
    text: 'The attached message had PERMANENT fatal delivery errors!\n\nAfter one or more unsuccessful delivery attempts the attached message has been removed from the mail queue.\n\nFailed address: ines@home.test',
    form: 'returned',
  },
  MailEnable: {
    from: 'Postmaster@home.test',
    subject: 'Message Delivery Failure',
    text: 'MailEnable: Message could not be delivered to some recipients.\n\nRecipient: [SMTP:ines@home.test]\nReason: The recipient does not exist',
    form: 'returned',
  },
  hMailServer: {
    from: 'mailer-daemon@home.test',
    subject: 'Message undeliverable',
    text: 'Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\nines@home.test\n   Error Type: SMTP\n   Remote server replied: 550 unknown user',
    form: 'returned',
  },
  Courier: {
    from: '"Courier mail server at mx.test" <@>',
    subject: 'NOTICE: mail delivery status.',
    text: 'This is a delivery status notification from mx.test,\nrunning the Courier mail server.\n\nThe original message was received on Fri, 20 Nov 2026\n\nUNDELIVERABLE MAIL\n\nYour message to the following recipients cannot be delivered:\n\n<ines@home.test>:\n    mx.home.test [192.0.2.1]:\n<<< 550 User unknown.',
    form: 'report',
  },
  Barracuda: {
    from: 'Barracuda <postmaster@barracuda.home.test>',
    subject: '**Message you sent blocked by our bulk email filter**',
    text: 'Your message to: ines@home.test\nwas blocked by our Spam Firewall. The email you sent with the following subject has NOT BEEN DELIVERED:\n\nSubject: Re: Lamp 12',
    form: 'headers only',
    others: EMPTY,
  },
  Mimecast: {
    from: 'postmaster@home.mimecast.test',
    subject: '[Postmaster] Email Delivery Failure',
    text: 'This is a delivery failure notification message from Mimecast.\n\nThe email sent to ines@home.test could not be delivered: 550 Invalid Recipient',
    form: 'headers only',
  },
  Proofpoint: {
    from: 'MAILER-DAEMON@pps.home.test',
    subject: 'Undelivered Mail Returned to Sender',
    text: '<ines@home.test>: host mx said: 554 5.7.0 Message rejected by policy',
    form: 'report',
  },
  OpenSMTPD: {
    from: 'Mailer Daemon <MAILER-DAEMON@mx.test>',
    subject: 'Delivery status notification: error',
    text: 'Hi!\n\n    This is the MAILER-DAEMON, please DO NOT REPLY to this email.\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\nines@home.test: 550 Invalid recipient',
    form: 'report',
  },
  Haraka: {
    from: 'MAILER-DAEMON@mx.test',
    subject: 'failed to deliver to ines@home.test',
    text: 'Hi. This is the Haraka Mailer program at mx.test.\nI am afraid I was not able to deliver your message to the following addresses.\n\n<ines@home.test>: 550 no such user',
    form: 'report',
  },
  'Strato, in German': {
    from: 'Strato Mail Delivery <MAILER-DAEMON@mail.strato.test>',
    subject: 'Undeliverable Mail / Unzustellbare E-Mail',
    text: 'Ihre E-Mail konnte nicht zugestellt werden.\n\nines@home.test\n550 5.1.1 Empfänger unbekannt',
    form: 'returned',
  },
  GMX: {
    from: 'GMX Mailer Daemon <mailer-daemon@gmx.test>',
    subject: 'Mail delivery failed: returning message to sender',
    text: 'This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its recipients. The following address failed:\n\nines@home.test:\nSMTP error from remote server for RCPT TO command, host: mx.home.test reason: 550 unknown',
    form: 'returned',
  },
  'T-Online': {
    from: 'Mailer-Daemon <mailer-daemon@t-online.test>',
    subject: 'Fehler bei der Zustellung / Delivery failed',
    text: 'Die folgende Adresse ist fehlerhaft:\n\nines@home.test\nUser unknown / Empfänger unbekannt',
    form: 'returned',
  },
  'Orange, in French': {
    from: 'Mail Delivery System <MAILER-DAEMON@orange.test>',
    subject: 'Message non distribué',
    text: 'Votre message n’a pas pu être distribué à : ines@home.test\n550 5.1.1 Adresse inconnue',
    form: 'returned',
  },
  Yandex: {
    from: 'mailer-daemon@yandex.test',
    subject: 'Недоставленное сообщение',
    text: 'Это письмо отправлено почтовым сервером.\n\nК сожалению, мы вынуждены сообщить Вам о том, что Ваше письмо не может быть отправлено одному или нескольким адресатам.\n\n<ines@home.test>: 550 5.1.1 unknown',
    form: 'report',
  },
  'QQ, in Chinese': {
    from: 'QQMail <PostMaster@qq.test>',
    subject: '系统退信/Systems bounce',
    text: '抱歉，您的邮件被退回来了……\n\n收件人邮件地址（ines@home.test）不存在，邮件无法送达。\n550 Mailbox not found',
    form: 'returned',
  },
  'Naver, in Korean': {
    from: 'Mail Delivery System <postmaster@naver.test>',
    subject: '[메일 발송 실패] 메일이 전송되지 못했습니다',
    text: '메일이 전송되지 못했습니다.\n\nines@home.test\n550 5.1.1 No such user',
    form: 'returned',
  },
}

test('the mails of this test are those of sixty kinds of mail servers', () => {
  expect(Object.keys(BOUNCES).length).toBeGreaterThanOrEqual(60)
})

test.for(Object.entries(BOUNCES))('%s is recognised as the bounce of our mail', async ([, written]) => {
  const { verdict, report } = await read(write(written))
  expect({ verdict, recipient: report?.recipient }).toEqual({ verdict: 'bounce', recipient: 'ines@home.test' })
  expect(report!.message_ids).toContain(ID)
  expect(report!.isFinal).toBe(written.fields !== DELAYED && !/delayed 24 hours/.test(written.subject))
})

const INES = 'Ines Roth <ines@home.test>'
const person = (subject: string, text: string, others = '', from = INES): Written => ({
  ...{ from, subject, text, others, form: 'text' as const },
})
const OUR_QUOTE = '\n\nOn Friday Lamps <help@lamps.test> wrote:\n> It is on its way.'
const OUR_BOUNCE = `\n\n---------- Forwarded message ---------\nFrom: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nSubject: Delivery Status Notification (Failure)\n\n550 5.1.1 The email account that you tried to reach does not exist.\nMessage-ID: ${ID}`

/** What people and ordinary machines write, each with words that bounces have, too. */
const ORDINARY: Record<string, Written> = Object.fromEntries([
  ...[
    ['Out of office', 'I am out of the office until Monday. In urgent cases write to jon@home.test.'],
    ['Automatic reply: Re: Lamp 12', 'I am away and cannot be reached.'],
    ['Abwesenheitsnotiz: Re: Lamp 12', 'Ich bin nicht im Büro. Ihre Nachricht wird nicht weitergeleitet.'],
    ['Réponse automatique : Re: Lamp 12', 'Je suis absent. Votre message n’a pas pu être lu.'],
    ['Respuesta automática: Re: Lamp 12', 'Estoy fuera de la oficina y no puedo entregar nada.'],
    ['Resposta automática: Re: Lamp 12', 'Estou fora do escritório.'],
    ['Trả lời tự động: Re: Lamp 12', 'Tôi đang đi vắng.'],
    ['自動返信', '不在にしております。'],
  ].map(([subject, text]) => [`out of office “${subject}”`, person(subject!, text!, 'Auto-Submitted: auto-replied')]),
  ...[
    ['Read: Re: Lamp 12', 'Your message was read on Friday.'],
    ['Gelesen: Re: Lamp 12', 'Ihre Nachricht wurde gelesen.'],
    ['Delivered: Re: Lamp 12', 'Your message has been delivered to the following recipients: ines@home.test'],
    ['Order received', 'Thank you for your order 550.'],
    ['Ticket 5.1.1 received', 'We have received your message and will answer within 24 hours.'],
  ].map(([subject, text]) => [`receipt “${subject}”`, person(subject!, text!, '', 'Shop <noreply@shop.test>')]),
  ...[
    ['Fwd: Delivery Status Notification (Failure)', `I got this when I wrote to you. What is wrong?${OUR_BOUNCE}`],
    ['FW: Undeliverable: Re: Lamp 12', `Please look at this.${OUR_BOUNCE}`],
    ['WG: Unzustellbar: Re: Lamp 12', `Das kam zurück.${OUR_BOUNCE}`],
    ['TR: Non remis : Re: Lamp 12', `Voilà ce que je reçois.${OUR_BOUNCE}`],
    ['Fwd: failure notice', `Your colleague cannot be reached.${OUR_BOUNCE}`],
    ['Re: Undelivered Mail Returned to Sender', `That was my old address.${OUR_BOUNCE}`],
    ['RV: No se puede entregar', `Me llegó esto.${OUR_BOUNCE}`],
    ['ENC: Não é possível entregar', `Recebi isto.${OUR_BOUNCE}`],
  ].map(([subject, text]) => [`forwarded bounce “${subject}”`, person(subject!, text!)]),
  ...[
    ['My mail was returned', 'I wrote to sales@lamps.test and the mail was returned: 550 5.1.1 user unknown.'],
    ['Mail delivery failed?', 'Did you get my first mail? My provider says that it could not be delivered.'],
    ['Undeliverable parcel', 'The parcel was undeliverable and returned to sender. Tracking number 550 511.'],
    ['Delivery failed', 'The courier was here, nobody opened, delivery failed. Can you send it again?'],
    ['Delivery delayed', 'The lamp is delayed. When will it be delivered?'],
    ['Returned mail', 'You sent me a letter, which I return: I am not Mr. Smith.'],
    ['Failure of lamp 12', 'It failed after two days. Error 550 on the display.'],
    ['Warning: lamp is hot', 'The mailbox beside it is melting.'],
    ['Fehler bei der Zustellung', 'Der Bote hat das Paket nicht zugestellt, der Empfänger war unbekannt.'],
    ['Zustellung', 'Wann wird die Lampe zugestellt?'],
    ['Unzustellbar', 'Das Paket war unzustellbar.'],
    ['Devuelto', 'El paquete fue devuelto.'],
    ['Falha na entrega', 'A entrega falhou, o endereço estava errado.'],
    ['Échec de la livraison', 'Le colis n’a pas pu être livré.'],
    ['Mancata consegna', 'Il pacco non è stato consegnato.'],
    ['Onbestelbaar pakket', 'Het pakket is niet bezorgd.'],
    ['Thư bị trả', 'Bưu kiện bị trả lại.'],
    ['配送エラー', '荷物が届きません。'],
    ['退货', '包裹被退回。'],
    ['Не доставлено', 'Посылка не доставлена.'],
    ['Address not found', 'The driver could not find my address.'],
    ['Message blocked', 'Your chat says that my message was blocked. Why?'],
    ['Quota', 'My mailbox is full, please send it to ines.roth@home.test.'],
    ['Postmaster', 'Who is your postmaster? Mails of ours are rejected with 554 5.7.1.'],
    ['Re: Lamp 12', `Thanks, it has arrived.${OUR_QUOTE}`],
    ['AW: Lamp 12', `Die Adresse war unbekannt, sagt der Bote.${OUR_QUOTE}`],
    ['Re: Lamp 12 not delivered', `It was not delivered.${OUR_QUOTE}`],
    ['Bounce castle', 'Do you rent bounce castles? Rejected elsewhere.'],
    ['Error 550', 'What does error 550 5.1.1 mean on my display?'],
    ['Failed payment', 'My payment failed, the card was rejected.'],
    ['Account disabled', 'My account is disabled, and the user is unknown, it says.'],
    ['System error', 'There is a system error in your shop.'],
  ].map(([subject, text]) => [`a person’s “${subject}”`, person(subject!, text!)]),
  [
    'a person’s mail with a report attached',
    { ...person('Look at this', 'I got the attached report from your server.'), form: 'report' as const },
  ],
  [
    'a mail of a person who is postmaster',
    person(
      'Mails of yours',
      'We reject some of your mails with 554. Please set up SPF.',
      '',
      'Uwe Post <postmaster@home.test>',
    ),
  ],
  [
    'a parcel service',
    person(
      'Delivery failed: parcel 12',
      'Your parcel could not be delivered. Choose another day.',
      '',
      'Parcels <noreply@parcels.test>',
    ),
  ],
  [
    'a shop’s warning',
    person('Payment failed', 'Your payment was rejected. Update your card.', '', 'Shop <billing@shop.test>'),
  ],
  [
    'a monitoring service',
    person(
      'Warning: host unreachable',
      'Host mx.test is unreachable: connection timed out.',
      '',
      'Monitor <alerts@monitor.test>',
    ),
  ],
  [
    'a newsletter',
    person(
      'Returned to sender: our new film',
      'Undeliverable love.',
      'List-Unsubscribe: <https://film.test>',
      'Film <news@film.test>',
    ),
  ],
  [
    'a mailing list’s notice',
    person(
      'Your message awaits approval',
      'Your message to lamps-talk was held.',
      'Precedence: bulk',
      'List <list-owner@lists.test>',
    ),
  ],
] as [string, Written][])

test('sixty ordinary mails are beside them', () => {
  expect(Object.keys(ORDINARY).length).toBeGreaterThanOrEqual(60)
})

test.for(Object.entries(ORDINARY))('%s is no bounce', async ([, written]) => {
  const raw =
    written.form === 'report'
      ? Buffer.from(
          write(written).toString('latin1').replace('report; report-type=delivery-status;', 'mixed;'),
          'latin1',
        )
      : write(written)
  expect((await read(raw)).verdict).not.toBe('bounce')
})
