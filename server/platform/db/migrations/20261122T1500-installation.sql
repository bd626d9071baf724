-- One row that describes this installation. It says with which SECRET_KEY values are encrypted, so that a server which
-- was given another one can say so at its start.

create table installation (
  is_only boolean primary key default true check (is_only),
  key_id  text not null
);
