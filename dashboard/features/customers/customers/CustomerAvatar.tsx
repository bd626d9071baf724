import { type Customer, displayName } from '#contract/customers/customers.ts'
import { Avatar } from '../../../ui/Avatar.tsx'

interface CustomerAvatarProps {
  customer: Pick<Customer, 'id' | 'name' | 'email' | 'phone' | 'nickname' | 'profile_photo_url'>
  size?: number
  online?: boolean
}

/** A customer's picture or initials; a shape for those whom nobody knows by name. */
export function CustomerAvatar({ customer, ...props }: CustomerAvatarProps) {
  const { id, name, email, profile_photo_url } = customer
  return (
    <Avatar id={id} name={displayName(customer)} photo={profile_photo_url} anonymous={!name && !email} {...props} />
  )
}
