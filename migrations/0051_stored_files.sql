-- Where files lie in an object store (KONTOR_STORE): the row makes an object count. Objects are written once, under keys that no other
-- attempt of a job has; the row is written in the transaction that ends the job. Without a store there are no rows: the folder is all.
create table stored_files (
  company text not null, path text not null, object text not null,
  bytes bigint not null, sha256 text not null, created_at timestamptz not null default now(),
  primary key (company, path));
alter table stored_files enable row level security;
alter table stored_files force row level security;
create policy company_only on stored_files
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on stored_files to kontor_app;
  end if;
end $$;
