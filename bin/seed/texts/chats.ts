import type { Thread } from './thread.ts'

export const ENGLISH: readonly Thread[] = [
  {
    topic: 'delivery',
    lines: [
      'c Hi, my order {order} was due yesterday and the tracking page has not moved since {day}. Is it lost?',
      'a Hello {first}, sorry about the wait. Let me look it up.',
      'n Carrier says the parcel sits in the {city} depot, label damaged.',
      'a The parcel is in {city} with a damaged label. I have asked for a new one; it should leave tomorrow morning.',
      'c Great, thanks for the quick answer!',
    ],
  },
  {
    lines: [
      'c Does the {product} come with the wall bracket, or do I have to order that separately?',
      'a It is in the box, together with screws for brick and plasterboard.',
      'c Perfect, ordering now.',
    ],
  },
  {
    topic: 'damaged',
    lines: [
      'c [scratch.jpg] The {product} arrived with a scratch along the left side. See order {order}.',
      'a Oh no. Would a replacement or 15% back suit you better?',
      'c A replacement please, it is a gift.',
      'n Second scratch this month from the same batch – tell the warehouse.',
      'a It is on its way, and you can keep the scratched one for now. We will collect it next week.',
      'c You are the best. Thank you!',
    ],
  },
  {
    topic: 'delivery',
    lines: [
      'c Can I still change the delivery address of {order}?',
      'a Yes, it has not left yet. What is the new address?',
      'c 14 Orchard Lane, second floor, the bell says Whitfield.',
      'a Changed. You will get a new confirmation by e-mail.',
    ],
  },
  {
    topic: 'invoice',
    lines: [
      'c I would like an invoice with our VAT number on it. Order {order}.',
      'a Of course. Which number and company name shall it show?',
      'c Harbour Studio Ltd, GB 245 8812 09',
      'a [invoice.pdf] Here you go, with your VAT number on it.',
      'c Got it.',
    ],
  },
  {
    lines: ['c hello? anyone there', 'a Good morning {first}! How can I help?', 'c nvm found it in the faq :)'],
  },
  {
    topic: 'delivery',
    lines: [
      'c Do you ship to Portugal? And what would the customs be?',
      'a We do, from our warehouse in Rotterdam, so there are no customs. It takes three to five days.',
      'c Wonderful.',
    ],
  },
  {
    topic: 'discount',
    lines: [
      'c My discount code WELCOME10 says it has expired but I only got it this morning',
      'n Code was limited to 500 uses. Give a personal one.',
      'a Sorry, that one ran out faster than we thought. Use HELLO-{number} instead, it is only for you.',
      'c Works. Thank you {agent}!',
    ],
  },
  {
    topic: 'advice',
    lines: [
      'c The lamp flickers whenever I dim it below half. Is that normal?',
      'a That sounds like a dimmer made for halogen. Which model is it?',
      'c [dimmer.jpg] It just says “LEGRAND 400W” on the side.',
      'a That is it, LEDs need less than it can go down to. A dimmer from 3 W upwards will fix the flicker; any electrician has one.',
      'c Learned something new. Thanks!',
    ],
  },
  {
    topic: 'trade',
    lines: [
      'c Could someone call me back about the {product}? I have a few questions before buying six of them for our office.',
      'a Gladly. When and on which number?',
      'c Tomorrow after 2 pm, the number is in my account.',
      'n Called, wants six in oak. Offer sent.',
      'a [offer.pdf] As discussed, here is the offer.',
    ],
  },
  {
    topic: 'return',
    lines: [
      'c I want to return the {product}, it is bigger than I thought. How does that work?',
      'a [return-label.pdf] No problem within 30 days. Here is the label; just drop the parcel off at any parcel shop.',
      'c And when do I get the money back?',
      'a Two working days after it reaches us, to the card you paid with.',
    ],
  },
  {
    topic: 'payment',
    lines: [
      'c Your checkout gives me “payment declined” but my bank says all is fine.',
      'a Thank you for telling us. Which browser are you using?',
      'c Firefox on a Mac, private window',
      'n 3-D Secure pop-up is blocked in private windows, known.',
      'a The bank’s confirmation window is blocked in private mode. In a normal window it should work – your basket is still there.',
      'c Yes! Went through.',
    ],
  },
  {
    topic: 'advice',
    lines: [
      'c Is the {product} suitable for a bathroom?',
      'a It is IP44, so everywhere except right above the tub.',
      'c Thanks',
    ],
  },
  {
    topic: 'payment',
    lines: [
      'c I was charged twice for {order}!',
      'a I see one payment and one reservation. The reservation disappears by itself, usually within three days.',
      'c ok I will wait until {day} then',
      'a If it is still there by then, write to me and I will chase the bank.',
    ],
  },
  {
    topic: 'press',
    lines: [
      'c Love the new catalogue. Who is the photographer?',
      'a Linh Tran, she did the whole autumn series. I will tell her!',
      'c Please do 😊',
    ],
  },
  {
    topic: 'advice',
    lines: [
      'c [corner.jpg] Would the {product} fit into this corner? It is 62 cm wide.',
      'a What a lovely room! It is 58 cm wide, so yes, with two fingers to spare on each side.',
      'c Then I will take it. In oak, please.',
      'a Ordered by me, with free delivery for the photo. It leaves on {day}.',
      'c That is so kind, thank you {agent}!',
    ],
  },
  {
    topic: 'return',
    lines: [
      'c Order {order}: I never got my refund, and it has been two weeks.',
      'n Return was scanned in {city}, but nobody booked it. Money goes out today.',
      'a You are right, and I am sorry: your parcel arrived, but the refund was never started. I have done it just now.',
      'c Thanks for being straight about it. It shows in my account already.',
    ],
  },
  {
    topic: 'delivery',
    lines: [
      'c Can you deliver to a parcel locker?',
      'a Lamps, yes. Furniture is brought to your door by two people.',
      'c A lamp, so the one at {city} station please',
      'a Set. You will get the code by text message.',
    ],
  },
  {
    topic: 'assembly',
    lines: [
      'c There is one screw too few in the bag of my {product}.',
      'a Which one? The drawing on page 3 has letters.',
      'c The long ones, F. There should be four.',
      'a Four new ones are in the post, you will have them on {day}.',
      'c Five stars for the letters on the drawing by the way',
    ],
  },
  {
    topic: 'assembly',
    lines: [
      'c [shelf.jpg] Is it supposed to lean like this?',
      'a Not quite! The rail in the middle is upside down: its groove belongs to the wall.',
      'c Oh no. Of course it is. Give me ten minutes',
      'c Straight as an arrow now 🙈',
      'a Welcome to the club – about half of us did that the first time.',
    ],
  },
  {
    topic: 'trade',
    lines: [
      'c We furnish holiday flats and need 14 reading lamps every spring. Do you have trade terms?',
      'a We do: 20% from ten pieces, and one invoice a month. May I send you the form?',
      'c Please. Also interested in the {product}.',
      'n Asked for the price of 14 + 6. Ada to approve 22%.',
      'a [offer.pdf] The form and an offer for both.',
    ],
  },
  {
    lines: [
      'c What are your opening hours in {city}?',
      'a Monday to Saturday from 10 to 7. On the first Sunday of the month as well.',
      'c See you on {day} then!',
    ],
  },
  {
    topic: 'discount',
    lines: [
      'c Is there going to be a sale before Christmas? I do not want to buy a week too early 😄',
      'a Between us: from {day} on, 15% on all lamps. If you order now, I will credit the difference.',
      'c You just won a customer.',
    ],
  },
  {
    topic: 'payment',
    lines: [
      'c Do you take bank transfers for {order}? Our office has no card.',
      'a Yes, choose “Pay by invoice” in the last step, or I can change it here.',
      'c Please change it, we have ordered already.',
      'a [invoice.pdf] Done. The invoice has our bank details at the bottom.',
    ],
  },
  {
    topic: 'damaged',
    lines: [
      'c [box.jpg] The driver just left this at my door. I have not dared to open it.',
      'a That box has seen things. Please open it and look at the glass first.',
      'c The shade is fine! A dent in the foot, you cannot see it from above.',
      'a Would 20 off make you live with the dent? Otherwise I will send a new foot.',
      'c 20 off is perfect.',
      'n Refunded 20. Packing again – add to the issue.',
    ],
  },
  {
    topic: 'advice',
    lines: [
      'c Warm white or neutral for a desk? The {product} has both.',
      'a 2700 K in the evening, 4000 K if you work with colours. The bulb switches when you press twice.',
      'c Did not know that. Great.',
    ],
  },
  {
    lines: [
      'c Just wanted to say that your packaging has no plastic at all and I love it',
      'a That made our day, {first}. I will pass it on to the people in the warehouse.',
    ],
  },
]
