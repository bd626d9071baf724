import type { Translated } from '../../../../platform/texts.ts'
import type { en } from './en.ts'

export const vi: Translated<typeof en> = {
  rating: { given: 'Đánh giá {{score}} trên 5' },
}
