-- Old decisions leave the database for files in the store: each row is such a file, with the decisions under whole seals, ids in (from_id, to_id].
-- The database keeps a copy of the newest decision of each own offer; the file counts.
create table decision_archives (
  company text not null, from_seal int not null, to_seal int not null, from_id bigint not null, to_id bigint not null,
  from_time timestamptz not null, to_time timestamptz not null, decisions int not null, bytes bigint not null,
  key text not null, sha256 text not null, archived_at timestamptz not null,
  primary key (company, from_seal), check (to_seal >= from_seal and to_id > from_id));
create unique index decision_archives_of on decision_archives (company, to_id);

-- Only what was sealed, and found unchanged by the last look at the chain; one file follows the other without a gap.
create function require_sealed_archive() returns trigger language plpgsql as $$
  begin
    if new.from_seal = coalesce((select max(a.to_seal) from decision_archives a where a.company = new.company), 0) + 1
      and exists (select 1 from decision_audits a where a.company = new.company and a.broken = '' and a.seals >= new.to_seal)
      and (select count(*) = new.to_seal - new.from_seal + 1 and min(s.from_id) = new.from_id and max(s.to_id) = new.to_id
          and sum(s.decisions) = new.decisions
        from decision_seals s where s.company = new.company and s.number between new.from_seal and new.to_seal) then return new; end if;
    raise exception 'only whole seals that were audited are archived';
  end $$;
create trigger decision_archives_sealed before insert on decision_archives for each row execute function require_sealed_archive();
create function refuse_archive_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' and (examples_go(old.company) or company_goes(old.company)) then return old; end if;
    raise exception 'archives are kept as they were made';
  end $$;
create trigger decision_archives_kept before update or delete on decision_archives for each row execute function refuse_archive_change();

-- A decision may be deleted where a file has it, and for nobody's asking otherwise.
create or replace function refuse_change() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      if exists (select 1 from decision_archives a where a.company = old.company and a.from_id < old.id and a.to_id >= old.id)
        then return old; end if;
      if examples_go(old.company) or company_goes(old.company) then return old; end if;
    end if;
    raise exception 'decisions are kept as they were made';
  end $$;

alter table decision_archives enable row level security;
alter table decision_archives force row level security;
create policy company_only on decision_archives
  using (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*')
  with check (company = current_setting('kontor.company', true) or current_setting('kontor.company', true) = '*');
do $$ begin
  if exists (select 1 from pg_roles where rolname = 'kontor_app') then
    grant select, insert, update, delete on decision_archives to kontor_app;
  end if;
end $$;
