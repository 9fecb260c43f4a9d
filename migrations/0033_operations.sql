-- What holds for the whole installation, a line a fact: that a restored system sends nothing yet, when it was backed up last.
create table installation_facts (
  name text primary key check (name in ('outgoing_hold', 'last_backup')), body text not null, at timestamptz not null);
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on installation_facts to kontor_app;
  end if;
end $$;

-- Secret addresses of an export's file that were renewed and still answer for a while, until the channel knows the new one.
create table old_feed_addresses (
  company text not null, token text not null unique, export text not null, until timestamptz not null,
  primary key (company, token),
  foreign key (company, export) references exports (company, id) on delete cascade);
alter table old_feed_addresses enable row level security;
alter table old_feed_addresses force row level security;
create policy company_only on old_feed_addresses
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on old_feed_addresses to kontor_app;
  end if;
end $$;
