/** First and last names that belong together, by language. */
const NAMES: readonly { first: readonly string[]; last: readonly string[]; isVietnamese?: true }[] = [
  {
    first: ['Amelia', 'Oliver', 'Aoife', 'Samuel', 'Imogen', 'Theo', 'Grace', 'Callum', 'Beatrix', 'Declan'],
    last: ['Whitfield', 'Hughes', 'Byrne', 'Osborne', 'Hartley', 'Prescott', 'Lockwood', 'Ainsley', 'Fairfax', 'Moss'],
  },
  {
    first: [
      'Minh Anh',
      'Quốc Bảo',
      'Thu Hà',
      'Gia Huy',
      'Ngọc Lan',
      'Hoàng Nam',
      'Khánh Linh',
      'Đức Thịnh',
      'Bảo Trâm',
      'Tuấn Kiệt',
    ],
    last: ['Nguyễn', 'Trần', 'Lê', 'Phạm', 'Võ', 'Đặng', 'Bùi', 'Hồ', 'Phan', 'Dương'],
    isVietnamese: true,
  },
  {
    first: ['Hannah', 'Jonas', 'Greta', 'Noah', 'Lena', 'Matthias', 'Frieda', 'Emil', 'Clara', 'Ruben'],
    last: ['Weiss', 'Brandt', 'Lindner', 'Vogel', 'Kästner', 'Albrecht', 'Sommer', 'Falk', 'Engel', 'Winter'],
  },
  {
    first: ['Inès', 'Hugo', 'Camille', 'Bastien', 'Élodie', 'Luc', 'Margaux', 'Adrien', 'Noémie', 'Étienne'],
    last: [
      'Laurent',
      'Fontaine',
      'Mercier',
      'Girard',
      'Lefèvre',
      'Rousseau',
      'Chevalier',
      'Perrin',
      'Marchand',
      'Dupuis',
    ],
  },
  {
    first: ['Tomás', 'Beatriz', 'Duarte', 'Leonor', 'Rafael', 'Carlota', 'Nuno', 'Matilde', 'Afonso', 'Joana'],
    last: ['Ferreira', 'Almeida', 'Carvalho', 'Pinto', 'Moreira', 'Teixeira', 'Barros', 'Cardoso', 'Neves', 'Lopes'],
  },
  {
    first: ['Priya', 'Arjun', 'Meera', 'Rohan', 'Ananya', 'Kabir', 'Divya', 'Sanjay', 'Leela', 'Vikram'],
    last: ['Raman', 'Menon', 'Kapoor', 'Iyer', 'Desai', 'Chandra', 'Bose', 'Nair', 'Reddy', 'Sethi'],
  },
  {
    first: ['Yuki', 'Haruto', 'Sakura', 'Ren', 'Aiko', 'Kenji', 'Mio', 'Takumi', 'Hana', 'Sora'],
    last: ['Tanaka', 'Mori', 'Fujita', 'Okada', 'Hayashi', 'Ishikawa', 'Nakano', 'Ueda', 'Shimizu', 'Kondo'],
  },
  {
    first: ['Marta', 'Daniel', 'Zofia', 'Filip', 'Ewa', 'Tomasz', 'Alena', 'Jakub', 'Irena', 'Marek'],
    last: ['Kowalska', 'Novák', 'Zielińska', 'Dvořák', 'Wójcik', 'Horák', 'Mazur', 'Svoboda', 'Krupa', 'Veselý'],
  },
]

interface Person {
  full_name: string
  /** How the team addresses them. Vietnamese names begin with the family name. */
  first_name: string
  /** The part of the e-mail address before the @. */
  mailbox: string
  writesVietnamese: boolean
}

/** The name of a customer by its number. The first 800 differ; those after have an initial between their names. */
export function personOf(customer: number): Person {
  const { first, last, isVietnamese = false } = NAMES[customer % NAMES.length]!
  const nth = Math.floor(customer / NAMES.length)
  const pairs = first.length * last.length
  const givenName = first[nth % first.length]!
  // A step of one more for each round over the first names, so that every pair occurs.
  const family = last[(nth + Math.floor(nth / first.length)) % last.length]!
  const round = Math.floor(nth / pairs)
  const initial = round === 0 ? '' : ` ${String.fromCharCode(65 + (round % 26))}.`
  const full_name = isVietnamese ? `${family}${initial} ${givenName}` : `${givenName}${initial} ${family}`
  return {
    full_name,
    first_name: isVietnamese ? givenName.split(' ').at(-1)! : givenName,
    mailbox: `${ascii(givenName)}.${ascii(family)}${customer}`,
    writesVietnamese: isVietnamese,
  }
}

function ascii(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('đ', 'd')
    .replaceAll('ł', 'l')
    .replaceAll(' ', '.')
}
