-- To whom an invitation was mailed, so that it can be told apart from others and mailed again. A link has nobody's address.
alter table user_invitations add column email text;
