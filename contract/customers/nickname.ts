/** The first words of nicknames. */
export const COLORS =
  'Amber Azure Beige Black Blue Bronze Brown Coral Crimson Cyan Golden Green Grey Indigo Ivory Jade Lilac Lime Olive Orange Pearl Pink Plum Purple Red Ruby Scarlet Silver Tan Teal Violet White'.split(
    ' ',
  )
/** Their second words. */
export const ANIMALS =
  'Badger Bear Beaver Bison Bobcat Buffalo Camel Crane Deer Dolphin Dove Duck Eagle Elk Falcon Ferret Finch Fox Gazelle Goose Hare Hawk Heron Horse Ibex Jaguar Koala Lark Lemur Leopard Lion Llama Lynx Magpie Marten Mole Moose Newt Orca Otter Owl Panda Panther Parrot Pelican Penguin Pony Puffin Puma Quail Rabbit Raven Robin Salmon Seal Shark Sparrow Squirrel Stork Swan Tiger Turtle Walrus Wolf'.split(
    ' ',
  )

/** A name that tells anonymous customers apart, always the same for an id: `Teal Otter`. */
export function nicknameOf(id: string): string {
  let hash = 0
  for (const character of id) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
  const color = COLORS[hash % COLORS.length]
  const animal = ANIMALS[Math.floor(hash / COLORS.length) % ANIMALS.length]
  return `${color} ${animal}`
}
