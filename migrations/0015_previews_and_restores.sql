-- The first price that a revision of a rule sends at an account is tried there before: what came through is remembered, so that it is
-- asked once.
create table price_previews (
  company text not null, account text not null, rule text not null, revision int not null, passed_at timestamptz not null,
  primary key (company, account, rule, revision));

-- As long as one is open, the prices of a catalogue are those that were live before `moment`, whatever its rules say.
create table price_restores (
  company text not null, id text not null, master text not null, moment timestamptz not null, reason text not null,
  author text not null, started_at timestamptz not null, ended_at timestamptz, ended_by text,
  primary key (company, id));
create unique index price_restores_open on price_restores (company, master) where ended_at is null;
-- Prices that a restore sends: breakers do not count them, since putting many prices back is what it is for.
alter table price_submissions add column restored boolean not null default false;

do $$ declare t text; begin
  foreach t in array array['price_previews', 'price_restores'] loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy company_only on %I
      using (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')
      with check (company = current_setting(''kontor.company'', true) or current_setting(''kontor.company'', true) = ''*'')', t);
    if exists (select 1 from pg_roles where rolname = 'kontor_app') then
      execute format('grant select, insert, update, delete on %I to kontor_app', t);
    end if;
  end loop;
end $$;
