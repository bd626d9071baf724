import { useSyncExternalStore } from 'react'
import { onSchemeChange, readScheme } from '../scheme.ts'
import { type ColorName, colors, control, motion, radius, space, type, width } from '../tokens.ts'
import styles from './Sandbox.module.css'
import { Specimen } from './Specimen.tsx'

const PANGRAMS = [
  'Do bạch kim rất quý nên sẽ dùng để lắp vô xương',
  'The quick brown fox jumps over the lazy dog, 0123456789',
]

export function TokenSpecimens() {
  const scheme = useSyncExternalStore(onSchemeChange, readScheme)
  return (
    <>
      <Specimen name="Colors">
        {(Object.keys(colors[scheme]) as ColorName[]).map((name) => (
          <figure key={name} className={styles.swatch}>
            <div style={name === 'shadow' ? { boxShadow: 'var(--shadow)' } : { background: `var(--${name})` }} />
            <figcaption>
              {name}
              <br />
              <span>{name === 'shadow' ? '' : colors[scheme][name]}</span>
            </figcaption>
          </figure>
        ))}
      </Specimen>
      <Specimen name="Type">
        <div>
          {([type.page, type.title, type.text, type.meta] as const).map((size) => (
            <p key={size} style={{ fontSize: size, color: 'var(--ink-strong)', marginBottom: 8 }}>
              {size}: {PANGRAMS.join(' ')}
            </p>
          ))}
          {[400, 550, 600, 650].map((weight) => (
            <p key={weight} style={{ fontWeight: weight }}>
              {weight}: {PANGRAMS[0]}
            </p>
          ))}
          <p className="figures">
            11:11 AM
            <br />
            08:48 PM
          </p>
        </div>
      </Specimen>
      <Sizes name="Space" sizes={space} />
      <Sizes name="Radii" sizes={radius} />
      <Sizes name="Controls" sizes={control} />
      <Sizes name="Widths" sizes={width} />
      <Specimen name="Motion">
        <p>
          fast {motion.fast} ms, slow {motion.slow} ms, {motion.ease}
        </p>
      </Specimen>
    </>
  )
}

function Sizes({ name, sizes }: { name: string; sizes: Record<string, number> }) {
  return (
    <Specimen name={name}>
      {Object.entries(sizes).map(([key, size]) => (
        <figure key={key} className={styles.size}>
          <div
            style={
              name === 'Radii'
                ? { width: 56, height: 40, borderRadius: size }
                : { width: Math.min(size, 300), height: 12 }
            }
          />
          <figcaption>
            {key}: {size}
          </figcaption>
        </figure>
      ))}
    </Specimen>
  )
}
