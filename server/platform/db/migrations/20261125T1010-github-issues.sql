-- What is known of issues at GitHub: of two pieces of news the later counts, and what was written there by us is no news.
create table github_issues (
  account_id uuid not null references accounts (id) on delete cascade,
  -- `owner/name`, in small letters.
  repository text not null,
  number     integer not null,
  state      text not null check (state in ('open', 'closed')),
  -- When it changed there.
  updated_at timestamptz(3) not null,
  primary key (account_id, repository, number)
);

-- Finds the issues here that follow one there, however its address was typed.
create index issues_github on issues (account_id, lower(regexp_replace(github_issue_url, '^(https?://)?(www\.)?', '', 'i')))
  where github_issue_url is not null;
