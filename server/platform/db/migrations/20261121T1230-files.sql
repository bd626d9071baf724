-- Files that people attach. The bytes lie in the file store under `key`; this is what is known about them.
create table files (
  account_id   uuid not null references accounts (id) on delete cascade,
  id           uuid not null,
  key          text not null,
  filename     text not null,
  -- Read off the bytes, never off what the sender claims.
  content_type text not null,
  size         integer not null,
  user_id      integer,
  customer_id  uuid,
  created_at   timestamptz(3) not null default now(),
  primary key (account_id, id),
  foreign key (account_id, user_id) references users (account_id, id) on delete set null (user_id),
  foreign key (account_id, customer_id) references customers (account_id, id) on delete set null (customer_id)
);
create index files_id on files (id);

create table message_files (
  account_id uuid not null,
  message_id uuid not null,
  file_id    uuid not null,
  position   smallint not null,
  primary key (account_id, message_id, file_id),
  foreign key (account_id, message_id) references messages (account_id, id) on delete cascade,
  foreign key (account_id, file_id) references files (account_id, id)
);
create index message_files_by_file on message_files (account_id, file_id);
