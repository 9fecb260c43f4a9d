-- Which program decided; '' for decisions made before it was recorded.
alter table price_decisions add column program text not null default '';

-- Some of the newest decisions with all they were made from, so that another version of the program can be asked whether it decides the same
-- before it sends a price. A ring: `slot` is used again.
create table decision_samples (
  company text not null, slot int not null, master text not null, item text not null, taken_at timestamptz not null, program text not null,
  rule_revision int not null, basis text not null, outcome text not null,
  primary key (company, slot));

-- The chain over decisions: each seal stands for the decisions of a company with ids in (from_id, to_id] and for the seal before it. The key is
-- no part of the database, so whoever can change rows cannot make the seals that fit them.
create table decision_seals (
  company text not null, number int not null, from_id bigint not null, to_id bigint not null, decisions int not null,
  hash text not null, sealed_at timestamptz not null,
  primary key (company, number), check (to_id > from_id));
create index decision_seals_of on decision_seals (company, to_id);
create function refuse_seal_change() returns trigger language plpgsql as $$
  begin raise exception 'seals are kept as they were made'; end $$;
create trigger decision_seals_kept before update or delete on decision_seals for each row execute function refuse_seal_change();

-- How the last look at the chain ended: so many seals from the first on fit; `broken` says where it breaks, '' is well.
create table decision_audits (
  company text not null primary key, verified_at timestamptz not null, seals int not null, broken text not null default '');

do $$ declare t text; begin
  foreach t in array array['decision_samples', 'decision_seals', 'decision_audits'] loop
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
