-- What holds for the whole installation, a line a fact: that a restored system sends nothing yet, when it was backed up last.
create table installation_facts (
  name text primary key check (name in ('outgoing_hold', 'last_backup')), body text not null, at timestamptz not null);
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on installation_facts to kontor_app;
  end if;
end $$;
