import type { Thread } from './thread.ts'

export const MAILS: readonly Thread[] = [
  {
    topic: 'invoice',
    subject: 'Invoice for {order}',
    lines: [
      'c Dear team,\n\nour accountant asks for an invoice for {order} that shows our full company name. Could you send one?\n\nKind regards\n{name}',
      'a Dear {first},\n\nof course, it is attached. From now on your account has the company name, so that the next ones are right from the start.\n\nBest wishes\n{agent}',
      'c Perfect, thank you.',
    ],
  },
  {
    topic: 'delivery',
    subject: 'Where is {order}?',
    lines: [
      'c Hello,\n\nyour mail said “on its way” on {day}. The link to the parcel only says “label created”. Has it left your warehouse?\n\n{name}',
      'a Hello {first},\n\nit has not, and I am sorry: the {product} was packed but the carrier did not come. It was picked up this morning and should be with you in two days.\n\n{agent}',
      'c Thank you for the honest answer.',
    ],
  },
  {
    topic: 'trade',
    subject: 'Lamps for eleven hotels',
    lines: [
      'c Hello,\n\nwe are refurbishing 11 small hotels and like the {product}. We would need\n\n- 140 pieces by March\n- 40 more in autumn\n\nCan you make an offer, and send two samples to {city}?\n\n{name}',
      'n Big one. Samples go out today, offer by Ada.',
      'a [offer.pdf] Dear {first},\n\nthank you for asking us! The offer is attached, with two dates of delivery. The samples leave today.\n\n{agent}',
      'c The samples arrived and are even nicer than the pictures. I will come back to you after our meeting on {day}.',
    ],
  },
  {
    topic: 'return',
    subject: 'Return of my {product}',
    lines: [
      'c Hi,\n\nI would like to return my {product} from {order}. It is lovely but too large for us.\n\nWhat do I have to do?\n\n{name}',
      'a [return-label.pdf] Hi {first},\n\nno problem at all. Print the label, stick it onto the box, and drop it off at any parcel shop. The refund takes two working days once it is here.\n\n{agent}',
    ],
  },
  {
    topic: 'press',
    subject: 'Photos for our October issue',
    lines: [
      'c Dear all,\n\nwe are writing about small makers of lamps and would love to show the {product}. Do you have pictures in print quality?\n\n{name}',
      'a Dear {first},\n\nthere is a folder of them, all by Linh Tran; please name her. Shall I send the link?\n\n{agent}',
      'c Yes please, and we will of course name her.',
    ],
  },
  {
    topic: 'damaged',
    subject: 'Broken glass in {order}',
    lines: [
      'c [box.jpg] Hello,\n\nunfortunately the shade arrived in three pieces, see the picture. Nobody was hurt.\n\nCould you send a new one?\n\n{name}',
      'a Hello {first},\n\nI am glad that nobody was hurt. A new shade is on its way, and you need not send anything back.\n\n{agent}',
      'c It came today, unbroken. Many thanks!',
    ],
  },
  {
    topic: 'advice',
    subject: 'Dimmer for the {product}',
    lines: [
      'c Good evening,\n\nwhich dimmer do you recommend? Our electrician says that most of them hum.\n\n{name}',
      'a Good morning {first},\n\nany trailing-edge dimmer from 3 W on works without a hum. We tested six of them; the list is on our page about dimmers.\n\n{agent}',
    ],
  },
  {
    topic: 'payment',
    subject: 'Charged twice',
    lines: [
      'c Hello,\n\nmy statement shows two payments for {order}. Please check.\n\n{name}',
      'a Hello {first},\n\none of them is a reservation of your bank and disappears by itself, usually within three days. Please write again if it is still there on {day}.\n\n{agent}',
      'c It is gone. Thank you!',
    ],
  },
]

export const TEXT_MESSAGES: readonly Thread[] = [
  {
    topic: 'delivery',
    lines: ['c where is my parcel {order}', 'a In {city}, it will be with you today between 2 and 4 pm.', 'c 👍'],
  },
  {
    topic: 'delivery',
    lines: [
      'c Nobody home before 5 today, can the driver come later?',
      'a Moved to 6–8 pm. The driver has your number.',
      'c great thx',
    ],
  },
  { lines: ['c Are you open on {day}?', 'a From 10 to 7. See you!'] },
  {
    topic: 'assembly',
    lines: ['c Manual says 4 screws F, I have 3', 'a Sorry! Four new ones are in the post.', 'c Thanks'],
  },
]
