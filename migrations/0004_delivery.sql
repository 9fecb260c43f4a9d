-- A job that failed for a while is tried again, but not before this time.
alter table jobs add column not_before timestamptz;

-- Passwords and keys of channels, sealed under the company's key; nothing of them stands in documents or their history (T17).
create table secrets (
  company text not null, place text not null, sealed text not null, created_at timestamptz not null default now(),
  primary key (company, place));

alter table secrets enable row level security;
alter table secrets force row level security;
create policy company_only on secrets
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on secrets to kontor_app;
  end if;
end $$;
