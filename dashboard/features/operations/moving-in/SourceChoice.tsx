import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { API_PRODUCTS, MOVING_PRODUCTS, type MovingIn, type ProductId } from '#contract/operations/moving-in.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Select } from '../../../ui/Select.tsx'
import { ApiForm } from './ApiForm.tsx'
import { DumpUpload } from './DumpUpload.tsx'

const PRODUCTS = MOVING_PRODUCTS.map(({ id, name }) => ({ value: id, label: name }))
const METHODS = ['file', 'api'] as const

/** Chooses a product, and whether its database or its API is read. */
export function SourceChoice({ current }: { current: MovingIn }) {
  const { t } = useTranslation()
  const [product, setProduct] = useState<ProductId>(current.product ?? PRODUCTS[0]!.value)
  const [method, setMethod] = useState<(typeof METHODS)[number]>('file')
  const [isUploading, setUploading] = useState(false)
  const api = API_PRODUCTS.find((id) => id === product)
  return (
    <Block
      title={t('moving_in.source')}
      text={t(api && method === 'api' ? 'moving_in.api_text' : 'moving_in.file_text')}
    >
      <Select
        label={t('moving_in.product')}
        options={PRODUCTS}
        value={product}
        onChange={setProduct}
        disabled={isUploading}
      />
      {api && !isUploading && (
        <Choice
          legend={t('moving_in.way')}
          options={METHODS.map((value) => ({ value, label: t(`moving_in.ways.${value}`) }))}
          value={method}
          onChange={setMethod}
        />
      )}
      {api && method === 'api' ? (
        <ApiForm product={api} />
      ) : (
        <DumpUpload current={current} product={product} onRunning={setUploading} />
      )}
    </Block>
  )
}
