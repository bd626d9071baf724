import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Button.module.css'

interface ButtonLook {
  /** `primary` is the main action of a screen; `text` and `link` are less prominent. */
  variant?: 'primary' | 'plain' | 'text' | 'link'
  /** For actions that cannot be undone. */
  danger?: boolean
  size?: 'small' | 'normal' | 'large'
  /** As wide as its container. */
  block?: boolean
  icon?: ReactNode
}

interface ButtonProps extends ButtonLook, Omit<ComponentProps<'button'>, 'type' | 'aria-busy'> {
  type?: 'button' | 'submit'
  /** Ignores further clicks while work is running, and keeps the focus. */
  loading?: boolean
}

/** A button with text, an icon, or both. An icon alone needs an `aria-label`; see also IconButton. */
export function Button(props: ButtonProps) {
  const {
    variant,
    danger,
    size,
    block,
    icon,
    className,
    loading = false,
    type = 'button',
    onClick,
    children,
    ...rest
  } = props
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (loading) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type={type}
      {...classesOf({ variant, danger, size, block }, className)}
      aria-busy={loading || undefined}
      onClick={press}
      {...rest}
    >
      {loading ? <span className={styles.spinner} aria-hidden="true" /> : icon}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends ButtonLook, Pick<ComponentProps<'a'>, 'aria-label' | 'className' | 'onClick'> {
  /** A path of the dashboard; use `href` for other addresses. */
  to?: string
  href?: string
  children: ReactNode
}

/** A link that looks like a button. */
export function ButtonLink({
  to,
  href,
  variant,
  danger,
  size,
  block,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  const classes = classesOf({ variant, danger, size, block }, className)
  return to === undefined ? (
    <a href={href} {...classes} {...rest}>
      {icon}
      {children}
    </a>
  ) : (
    <Link to={to} {...classes} {...rest}>
      {icon}
      {children}
    </Link>
  )
}

type Variants = { [Name in keyof ButtonLook]: ButtonLook[Name] | undefined }

function classesOf({ variant = 'plain', danger, size = 'normal', block }: Variants, className: string | undefined) {
  return {
    className: className ? `${styles.button} ${className}` : styles.button,
    'data-variant': variant,
    'data-danger': danger || undefined,
    'data-size': size,
    'data-block': block || undefined,
  }
}
