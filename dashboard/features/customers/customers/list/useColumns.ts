import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import { storage } from '../../../../platform/storage.ts'
import { attributesQuery } from '../../attributes/queries.ts'

/** The storage key of the columns that this person chose in this browser: keys of attributes, one on each line. */
const KEY = 'customer-columns'

export interface Columns {
  /** The attributes of customers that can be chosen. */
  all: AttributeDefinition[]
  /** The chosen ones, in the order of the attributes. */
  shown: AttributeDefinition[]
  choose: (keys: string[]) => void
}

/** The attributes that a person chose as columns of the list. Those that are deleted are left out. */
export function useColumns(): Columns {
  const { data = [] } = useQuery(attributesQuery)
  const [keys, setKeys] = useState(() => storage.getItem(KEY)?.split('\n') ?? [])
  const all = data.filter(({ subject }) => subject === 'customer')
  return {
    all,
    shown: all.filter(({ key }) => keys.includes(key)),
    choose(chosen) {
      storage.setItem(KEY, chosen.join('\n'))
      setKeys(chosen)
    },
  }
}
