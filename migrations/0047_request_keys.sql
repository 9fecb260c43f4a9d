-- A request that names itself by a key is done once: who asks again with the key is answered with what became of the first.
-- The answer is absent where it holds secrets or persons. Rows go after a day (docs/operations.md).
create table request_keys (
  company text not null, actor text not null, key text not null,
  call text not null, input_hash text not null, state text not null check (state in ('begun', 'done')),
  answer text, at timestamptz not null,
  primary key (company, actor, key));
create index request_keys_at on request_keys (company, at);
alter table request_keys enable row level security;
alter table request_keys force row level security;
create policy company_only on request_keys
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on request_keys to kontor_app;
  end if;
end $$;
