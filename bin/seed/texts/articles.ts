/** An article in one language. */
export interface SeedText {
  title: string
  summary: string
  body: string
}

interface SeedCollection {
  icon: string
  texts: Record<'en' | 'de', { name: string; description: string }>
  articles: Record<'en' | 'de', SeedText>[]
}

/** A short answer to a question, in English and German. */
function answer(en: [string, string], de: [string, string]): Record<'en' | 'de', SeedText> {
  const text = ([title, body]: [string, string]): SeedText => ({ title, summary: '', body })
  return { en: text(en), de: text(de) }
}

export const COLLECTIONS: SeedCollection[] = [
  {
    icon: '📦',
    texts: {
      en: { name: 'Orders', description: 'Delivery, returns and refunds' },
      de: { name: 'Bestellungen', description: 'Lieferung, Rückgabe und Erstattung' },
    },
    articles: [
      {
        en: {
          title: 'Returning an order',
          summary: 'You can send everything back within 30 days, for free.',
          body: `You have **30 days** from the day on which your parcel arrives.

1. Open the order in your account and press *Return*.
2. Print the label and put it on the box.
3. Drop the parcel at any post office.

> [!NOTE]
> Lamps have to be cold and dry. Remove the bulb first.

## When you get your money

| You paid by | It takes |
| --- | --- |
| Card | up to 5 working days |
| PayPal | 1 working day |
| Bank transfer | up to 7 working days |

Something arrived broken? Read [what to do about a damaged parcel](https://lumenandoak.example/damaged) before you send it back.
`,
        },
        de: {
          title: 'Eine Bestellung zurückgeben',
          summary: 'Sie können alles innerhalb von 30 Tagen kostenlos zurückschicken.',
          body: `Sie haben **30 Tage** ab dem Tag, an dem Ihr Paket ankommt.

1. Öffnen Sie die Bestellung in Ihrem Konto und klicken Sie auf *Zurückgeben*.
2. Drucken Sie das Etikett und kleben Sie es auf den Karton.
3. Geben Sie das Paket bei einer Postfiliale ab.

> [!NOTE]
> Lampen müssen kalt und trocken sein. Nehmen Sie zuerst die Glühbirne heraus.

## Wann Sie Ihr Geld bekommen

| Bezahlt mit | Dauer |
| --- | --- |
| Karte | bis zu 5 Werktage |
| PayPal | 1 Werktag |
| Überweisung | bis zu 7 Werktage |
`,
        },
      },
      {
        en: {
          title: 'Delivery times and costs',
          summary: 'Two to four days, free above 50 euros.',
          body: 'Parcels take **two to four working days**. Delivery is free above 50 euros; below that it costs 4.90.\n\nShelves and tables come by a carrier who calls you the day before.',
        },
        de: {
          title: 'Lieferzeit und Versandkosten',
          summary: 'Zwei bis vier Tage, kostenlos ab 50 Euro.',
          body: 'Pakete brauchen **zwei bis vier Werktage**. Die Lieferung ist ab 50 Euro kostenlos, sonst kostet sie 4,90.\n\nRegale und Tische bringt eine Spedition, die Sie am Vortag anruft.',
        },
      },
    ],
  },
  {
    icon: '🪵',
    texts: {
      en: { name: 'Care and assembly', description: 'So that lamps and oak last for decades' },
      de: { name: 'Pflege und Aufbau', description: 'Damit Lampen und Eiche Jahrzehnte halten' },
    },
    articles: [
      {
        en: {
          title: 'Cleaning and oiling oak',
          summary: 'A damp cloth every week, oil once a year.',
          body: 'Wipe oak with a **damp cloth** and dry it. Oil it once a year, along the grain.\n\n> [!WARNING]\n> Never use vinegar or sprays: they leave white stains.',
        },
        de: {
          title: 'Eiche reinigen und ölen',
          summary: 'Jede Woche ein feuchtes Tuch, einmal im Jahr Öl.',
          body: 'Wischen Sie Eiche mit einem **feuchten Tuch** ab und trocknen Sie sie. Ölen Sie sie einmal im Jahr, in Richtung der Maserung.\n\n> [!WARNING]\n> Nehmen Sie nie Essig oder Sprays: Sie hinterlassen weiße Flecken.',
        },
      },
      {
        en: {
          title: 'Which bulb fits my lamp?',
          summary: 'All lamps take E27 bulbs up to 60 watts.',
          body: 'All of our lamps take **E27** bulbs up to 60 watts. With a dimmer, choose a dimmable LED: others flicker.',
        },
        de: {
          title: 'Welche Glühbirne passt in meine Lampe?',
          summary: 'Alle Lampen haben eine Fassung E27 bis 60 Watt.',
          body: 'Alle unsere Lampen haben eine Fassung **E27** bis 60 Watt. Nehmen Sie mit einem Dimmer eine dimmbare LED: Andere flackern.',
        },
      },
    ],
  },
  {
    icon: '💬',
    texts: {
      en: { name: 'This chat', description: 'What it is and how it works' },
      de: { name: 'Dieser Chat', description: 'Was er ist und wie er funktioniert' },
    },
    articles: [
      answer(
        [
          'How much does it cost?',
          'The first 2 users are free. After that, the price is $40 a month for up to 10 users.',
        ],
        [
          'Was kostet es?',
          'Die ersten 2 Benutzer sind kostenlos. Danach kostet es 40 $ im Monat für bis zu 10 Benutzer.',
        ],
      ),
      answer(
        ['What is Parley?', 'Parley is a live chat for your website and an inbox in which your whole team answers.'],
        [
          'Was ist Parley?',
          'Parley ist ein Live-Chat für Ihre Website und ein Posteingang, in dem Ihr ganzes Team antwortet.',
        ],
      ),
      answer(
        [
          'How do I install the chat widget?',
          'Copy the snippet from the settings of your inbox and paste it into the head of your website.',
        ],
        [
          'Wie baue ich das Chat-Widget ein?',
          'Kopieren Sie den Code aus den Einstellungen Ihres Posteingangs in den Kopf Ihrer Website.',
        ],
      ),
      answer(
        [
          'Can I change the colors and texts of the widget?',
          'Yes: title, subtitle, color, greeting and more are chosen in the settings, with a live preview.',
        ],
        [
          'Kann ich Farben und Texte des Widgets ändern?',
          'Ja: Titel, Untertitel, Farbe, Begrüßung und mehr wählen Sie in den Einstellungen, mit Vorschau.',
        ],
      ),
      answer(
        [
          'Does it work with Slack?',
          'Yes, messages can be sent to a Slack channel, and your team replies in their threads.',
        ],
        [
          'Funktioniert es mit Slack?',
          'Ja, Nachrichten lassen sich in einen Slack-Kanal senden, und Ihr Team antwortet in deren Threads.',
        ],
      ),
      answer(
        ['Can I host it myself?', 'Yes. It is made to run on your own server, with everything it needs included.'],
        [
          'Kann ich es selbst betreiben?',
          'Ja. Es läuft auf Ihrem eigenen Server und bringt alles mit, was es braucht.',
        ],
      ),
      answer(
        [
          'How do I talk to a person?',
          'Write your question in the chat, and somebody of the team answers as soon as they are back.',
        ],
        [
          'Wie spreche ich mit einem Menschen?',
          'Schreiben Sie Ihre Frage in den Chat. Jemand aus dem Team antwortet, sobald er wieder da ist.',
        ],
      ),
    ],
  },
]
