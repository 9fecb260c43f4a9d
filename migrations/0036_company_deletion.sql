-- A company whose owner wants all of it deleted, and from when on that happens. Until then it can be called off.
create table company_deletions (
  company text not null primary key, id text not null, name text not null, asked_by text not null, asked_at timestamptz not null,
  due_at timestamptz not null);
alter table company_deletions enable row level security;
alter table company_deletions force row level security;
create policy company_only on company_deletions
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on company_deletions to kontor_app;
  end if;
end $$;

-- What is kept as it was written goes with its whole company: whoever deletes that says so in his transaction, and somebody must
-- have asked for it.
create function company_goes(whose text) returns boolean language sql stable as $$
  select coalesce(current_setting('kontor.company_goes', true), '') = whose
    and exists (select 1 from company_deletions where company = whose) $$;
create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and (examples_go(old.company) or company_goes(old.company)) then return old; end if;
    raise exception 'decisions are kept as they were made';
  end $$;
create or replace function refuse_seal_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and (examples_go(old.company) or company_goes(old.company)) then return old; end if;
    raise exception 'seals are kept as they were made';
  end $$;
create or replace function refuse_security_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and company_goes(old.company) then return old; end if;
    if tg_op = 'DELETE' and tg_table_name = 'security_events' then
      if exists (select 1 from security_checkpoints c where c.company = old.company and c.number >= old.number) then return old; end if;
    end if;
    raise exception 'the security log is kept as it was written';
  end $$;
