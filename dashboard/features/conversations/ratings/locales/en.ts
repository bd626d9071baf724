export const en = {
  rating: { given: 'Rated {{score}} of 5' },
}
