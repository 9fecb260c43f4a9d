-- Which content of a repricing rule was tried before it runs, when and by whom. `content` is the key of what prices depend on
-- (shared/repricer-before-save.ts), so that a new name does not make a rule one that nobody tried.
create table repricer_simulations (
  company text not null, master text not null, rule text not null, content text not null,
  author text not null, simulated_at timestamptz not null, offers int not null,
  primary key (company, master, rule, content));
create index repricer_simulations_newest on repricer_simulations (company, master, simulated_at desc);

alter table repricer_simulations enable row level security;
alter table repricer_simulations force row level security;
create policy company_only on repricer_simulations
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on repricer_simulations to kontor_app;
  end if;
end $$;
